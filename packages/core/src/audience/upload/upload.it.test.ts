import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { UploadData } from '@emma/contract/actions/audience.ts'
import { sql as raw } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { membersTable } from '../datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../test-audience.ts'
import { runUpload } from './run-upload.ts'
import { cancelUpload, datauploadOperations, takeUpload } from './upload-operations.ts'

let audience: TestAudience
let folder: string
let tableId: number
beforeAll(async () => {
  audience = await createTestAudience()
  folder = mkdtempSync(join(tmpdir(), 'emma-uploads-'))
  tableId = await createTestDatasource(audience, [
    { column_name: 'firstname', data_type: 'string' },
    { column_name: 'age', data_type: 'int' },
    { column_name: 'note', data_type: 'text' },
  ])
})
afterAll(async () => {
  await audience.database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function take(content: string | Buffer, data: Partial<UploadData> = {}, name = 'people.csv') {
  const { database, actor } = audience
  const upload = { member_table_id: data.blacklist_id ? null : tableId, ...data }
  return takeUpload(database.sql, actor, folder, upload, name, Readable.from([Buffer.from(content)]))
}

/** What `start` does, without the queue. */
async function run(id: number, signal?: AbortSignal) {
  const { database, actor, scope, clientId } = audience
  await database.sql.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  const work = { sql: database.sql, pool: database.pool, folder, ...(signal ? { signal } : {}) }
  await runUpload(work, clientId, id)
  return datauploadOperations(folder).find(database.sql, actor, scope, id)
}

async function upload(content: string | Buffer, data: Partial<UploadData> = {}) {
  return run(Number((await take(content, data)).id))
}

async function members(where = 'true') {
  const found = await raw<Record<string, unknown>>`
    select email, firstname, age, note, dateunjoin is not null as gone, source from ${membersTable(tableId)}
    where ${raw.raw(where)} order by email`.execute(audience.database.sql)
  return found.rows
}

async function errorsOf(id: unknown): Promise<string[]> {
  const { error_file } = await audience.database.sql
    .selectFrom('data_upload')
    .select('error_file')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return readFileSync(join(folder, error_file ?? ''), 'utf8')
    .trimEnd()
    .split('\r\n')
}

test('a file is analysed: delimiter, charset, header, sample, mapping', async () => {
  const taken = await take(gzipSync('E-Mail;Vorname;firstname\na@x.example;"Jürgen; jr.";Jo\n'))
  expect(taken).toMatchObject({
    status: 1,
    delimiter: ';',
    charset: 'utf-8',
    header: ['E-Mail', 'Vorname', 'firstname'],
    sample: [['a@x.example', 'Jürgen; jr.', 'Jo']],
    mapping: [
      { index: 0, column: 'email' },
      { index: 1, column: null },
      { index: 2, column: 'firstname' },
    ],
    has_error_file: false,
    filename: 'people.csv',
  })
})

test('R281 every row is counted once, and those not taken are in the error file with their reason', async () => {
  const { sql } = audience.database
  const { blacklist_id } = await sql
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: 'Global', kind: 'client' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await sql
    .insertInto('blacklist_entry')
    .values({ client_id: audience.clientId, blacklist_id, value: 'blocked@count.example' })
    .execute()
  await sql
    .insertInto('internal_blacklist_entry')
    .values({ value: 'trap.example', match: 'domain' })
    .execute()
  const done = await upload(
    [
      'email,firstname,age,note',
      'ok@count.example,"Zoë ""Z"" O\'Neil",42,"two\nlines \\ back\tslash"',
      'OK@COUNT.EXAMPLE,again,1,',
      'Blocked@count.example,b,2,',
      'x@trap.example,t,3,',
      'broken,c,4,',
      'few@count.example,only two',
      ',empty,5,',
      'old@count.example,d,old,',
      '',
      'second@count.example,,,',
    ].join('\r\n'),
  )
  expect(done).toMatchObject({
    status: 3,
    rows: 9,
    rows_read: 9,
    rows_ok: 2,
    rows_inserted: 2,
    rows_updated: 0,
    rows_unchanged: 0,
    rows_incomplete: 2,
    rows_invalid: 2,
    rows_duplicate: 1,
    rows_suppressed: 2,
    has_error_file: true,
  })
  expect(await members("email like '%count.example'")).toEqual([
    {
      email: 'ok@count.example',
      firstname: 'Zoë "Z" O\'Neil',
      age: 42,
      note: 'two\nlines \\ back\tslash',
      gone: false,
      source: 'people.csv',
    },
    {
      email: 'second@count.example',
      firstname: null,
      age: null,
      note: null,
      gone: false,
      source: 'people.csv',
    },
  ])
  const errors = await errorsOf(done.id)
  expect(errors[0]).toBe('\ufeffrow,reason,column,email,firstname,age,note')
  expect(errors.slice(1).toSorted()).toEqual([
    '3,is in the file twice; the first row counts,email,OK@COUNT.EXAMPLE,again,1,',
    '4,is suppressed: on a blacklist of this client,email,Blocked@count.example,b,2,',
    '5,is suppressed: on the blacklist of the platform,email,x@trap.example,t,3,',
    '6,The e-mail address has no @.,email,broken,c,4,',
    '7,has 2 cells instead of 4,,few@count.example,only two',
    '8,"is empty, but required",email,,empty,5,',
    '9,is not a whole number,age,old@count.example,d,old,',
  ])
  const source = await sql
    .selectFrom('member_table')
    .selectAll()
    .where('member_table_id', '=', tableId)
    .executeTakeFirstOrThrow()
  expect(source.stats_total).toBe(2)
  expect(readdirSync(folder).filter(name => !name.endsWith('.errors.csv'))).not.toContain(
    (await sql.selectFrom('data_upload').select('file').where('id', '=', Number(done.id)).executeTakeFirst())
      ?.file,
  )
})

test('each mode does its part with addresses that are there and those that are not', async () => {
  await upload('email,firstname,age\na@mode.example,Old,1\nb@mode.example,Old,2\n')
  const file = 'email,firstname,age\nA@mode.example,New,1\nb@mode.example,Old,2\nc@mode.example,New,3\n'
  const names = async () =>
    (await members("email like '%mode.example'")).map(row => [row['email'], row['firstname']])

  expect(await upload(file, { mode: 'insert' })).toMatchObject({
    rows_inserted: 1,
    rows_duplicate: 2,
    rows_ok: 1,
  })
  expect(
    await upload('email,firstname\nz@mode.example,x\na@mode.example,New\n', { mode: 'update' }),
  ).toMatchObject({
    rows_updated: 1,
    rows_invalid: 1,
    rows_inserted: 0,
  })
  expect(await names()).toEqual([
    ['a@mode.example', 'New'],
    ['b@mode.example', 'Old'],
    ['c@mode.example', 'New'],
  ])
  expect(await upload(file)).toMatchObject({
    rows_ok: 3,
    rows_unchanged: 3,
    rows_updated: 0,
    has_error_file: false,
  })

  expect(await upload('email\nb@mode.example\nnobody@mode.example\n', { mode: 'unsubscribe' })).toMatchObject(
    {
      rows_updated: 1,
      rows_invalid: 1,
    },
  )
  expect(await upload(file.replace('Old', 'Back'))).toMatchObject({ rows_updated: 1, rows_unchanged: 2 })
  expect((await members("email = 'b@mode.example'"))[0]).toMatchObject({ firstname: 'Back', gone: true })
  const event = await audience.database.sql
    .selectFrom('event')
    .select(['email', 'source'])
    .where('type', '=', 'unsubscribe')
    .execute()
  expect(event).toEqual([{ email: 'b@mode.example', source: 'upload' }])

  expect(await upload('email\na@mode.example\n', { mode: 'delete' })).toMatchObject({ rows_updated: 1 })
  expect((await names()).map(([email]) => email)).toEqual(['b@mode.example', 'c@mode.example'])
})

test.for<[string, Buffer, string]>([
  ['windows-1252', Buffer.from('email;firstname\na@w.example;Jürgen\n', 'latin1'), 'windows-1252'],
  ['UTF-8 with a mark', Buffer.from('\ufeffemail;firstname\na@w.example;Jürgen\n'), 'utf-8'],
  ['UTF-16 with a mark', Buffer.from('\ufeffemail;firstname\na@w.example;Jürgen\n', 'utf16le'), 'utf-16le'],
  ['UTF-16 without one', Buffer.from('email;firstname\na@w.example;Jürgen\n', 'utf16le'), 'utf-16le'],
  [
    'UTF-16, high byte first',
    Buffer.from('\ufeffemail;firstname\na@w.example;Jürgen\n', 'utf16le').swap16(),
    'utf-16be',
  ],
])('umlauts arrive from %s', async ([, bytes, charset]) => {
  const taken = await take(bytes)
  expect(taken).toMatchObject({ charset, header: ['email', 'firstname'] })
  await run(Number(taken.id))
  expect(await members("email = 'a@w.example'")).toMatchObject([{ firstname: 'Jürgen' }])
})

/** More than what is looked at before the start. */
const manyRows = Array.from({ length: 150_000 }, (_, n) => `a${n}@fail.example,\n`).join('')
const wide = Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(',')
test.for<[string, string | Buffer, Partial<UploadData>, string]>([
  [
    'a wrong delimiter',
    'email;age\na@b.example;1\n',
    { delimiter: ',' },
    'the file has a single column; it is separated by a semicolon',
  ],
  [
    'a wrong charset',
    'email,firstname\na@b.example,Jürgen\n',
    { charset: 'windows-1252' },
    'The file is UTF-8',
  ],
  [
    'bytes that are no UTF-8',
    Buffer.from('email,firstname\na@b.example,Jürgen\n', 'latin1'),
    { charset: 'utf-8' },
    'Line 2 is not UTF-8',
  ],
  [
    'a broken gzip',
    gzipSync('email\na@b.example\n'.repeat(1000)).subarray(0, 40),
    {},
    'The gzip file is broken',
  ],
  ['nothing', '', {}, 'The file is empty'],
  ['a header alone', 'email,firstname\n', {}, 'The file has a header, but no rows'],
  ['no header', 'a@b.example,1\nb@b.example,2\n', {}, 'The first row holds an address'],
  ['10,000 columns', `${wide}\n${wide}\n`, {}, 'The file has 10000 columns; at most 500 are taken'],
  [
    'an endless line',
    `email,firstname\na@b.example,${'x'.repeat(3_000_000)}`,
    {},
    'Line 2 is longer than 1 MB',
  ],
  [
    'an Excel workbook',
    Buffer.from('504b0304aabbcc', 'hex'),
    {},
    'The file is a ZIP archive or an Excel workbook',
  ],
  ['zero bytes', 'email\0,a\nb\0\n', {}, 'The file is not a text file'],
])('%s is refused in words, and nothing is kept', async ([, content, data, words]) => {
  const files = readdirSync(folder).length
  await expect(take(content, data)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(words),
  })
  expect(readdirSync(folder)).toHaveLength(files)
})

test.for<[string, string, Partial<UploadData>, string]>([
  ['a missing key column', 'name,age\nx,1\n', {}, 'No column of the file is mapped to "email"'],
  [
    'a doubled mapping',
    'email,mail\na@b.example,x\n',
    {
      mapping: [
        { index: 0, column: 'email' },
        { index: 1, column: 'email' },
      ],
    },
    'Two columns of the file are mapped to "email"',
  ],
  [
    'a column that is not there',
    'email,x\na@b.example,x\n',
    {
      mapping: [
        { index: 0, column: 'email' },
        { index: 1, column: 'dateunjoin' },
      ],
    },
    'has no column "dateunjoin"',
  ],
  [
    'a quote that is never closed',
    `email,note\n${manyRows}b@fail.example,"${'x\n'.repeat(700_000)}`,
    {},
    'Line 150002 is longer than 1 MB',
  ],
])('%s fails the import in words, and nothing is changed', async ([, content, data, words]) => {
  const failed = await upload(content, data)
  expect(failed).toMatchObject({ status: 4, error: expect.stringContaining(words), has_error_file: false })
  expect(await members("email like '%fail.example'")).toEqual([])
})

test('a failed import can be mended and started again', async () => {
  const { database, actor, scope } = audience
  const taken = await take('email,years\nmend@again.example,5\n', { mapping: [{ index: 1, column: 'age' }] })
  const id = Number(taken.id)
  expect(await run(id)).toMatchObject({ status: 4 })
  const mapping = [
    { index: 0, column: 'email' },
    { index: 1, column: 'age' },
  ]
  await datauploadOperations(folder).patch(database.sql, actor, scope, id, { mapping }, { revision: null })
  expect(await run(id)).toMatchObject({ status: 3, rows_inserted: 1, error: null })
})

test('two runs at once import once', async () => {
  const { database, clientId } = audience
  const id = Number((await take('email\nonce@twice.example\n')).id)
  await database.sql.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  const work = { sql: database.sql, pool: database.pool, folder }
  await Promise.all([runUpload(work, clientId, id), runUpload(work, clientId, id)])
  expect(await members("email like '%twice.example'")).toHaveLength(1)
})

test('an import that is cancelled, or cut off by the end of the program, leaves nothing', async () => {
  const { database, actor, scope } = audience
  const lines = Array.from({ length: 200_000 }, (_, n) => `p${n}@cancel.example`).join('\n')
  const id = Number((await take(`email\n${lines}\n`)).id)
  const stopping = new AbortController()
  const running = run(id, stopping.signal)
  setTimeout(() => stopping.abort(), 50)
  expect(await running).toMatchObject({ status: 2 })
  expect(await members("email like '%cancel.example'")).toEqual([])

  const again = run(id)
  await vi.waitFor(() => cancelUpload(database.sql, actor, scope, id), { timeout: 60_000 })
  expect(await again).toMatchObject({ status: 5 })
  expect(await members("email like '%cancel.example'")).toEqual([])
})

test('a blacklist takes a plain list without a header', async () => {
  const { sql } = audience.database
  const { blacklist_id } = await sql
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: 'Import', kind: 'campaign' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  const done = await upload('A@Black.example\nb@black.example\nnothing\na@black.example\n', { blacklist_id })
  expect(done).toMatchObject({ rows_inserted: 2, rows_invalid: 1, rows_duplicate: 1, rows_read: 4 })
  const values = await sql
    .selectFrom('blacklist_entry')
    .select('value')
    .where('blacklist_id', '=', blacklist_id)
    .orderBy('value')
    .execute()
  expect(values.map(entry => entry.value)).toEqual(['a@black.example', 'b@black.example'])
  const more = await upload('email,reason\nb@black.example,asked\n', { blacklist_id })
  expect(more).toMatchObject({ rows_updated: 1, rows_inserted: 0 })
  expect(await upload('email\na@black.example\n', { blacklist_id, mode: 'delete' })).toMatchObject({
    rows_updated: 1,
  })
  const list = await sql
    .selectFrom('blacklist')
    .select('count')
    .where('blacklist_id', '=', blacklist_id)
    .executeTakeFirst()
  expect(list?.count).toBe(1)
})

test('another client can neither upload here nor see the upload', async () => {
  const { database, foreign } = audience
  const stream = () => Readable.from([Buffer.from('email\na@b.example\n')])
  await expect(
    takeUpload(database.sql, foreign.actor, folder, { member_table_id: tableId }, 'x.csv', stream()),
  ).rejects.toThrow('Not found')
  await expect(
    takeUpload(
      database.sql,
      foreign.actor,
      folder,
      { member_table_id: tableId, client_id: foreign.clientId },
      'x.csv',
      stream(),
    ),
  ).rejects.toThrow('There is no such datasource')
  const id = Number((await take('email\na@b.example\n')).id)
  await expect(
    datauploadOperations(folder).find(database.sql, foreign.actor, foreign.scope, id),
  ).rejects.toThrow('Not found')
  await expect(cancelUpload(database.sql, foreign.actor, foreign.scope, id)).rejects.toThrow('Not found')
})

test('another delimiter shows other columns', async () => {
  const { database, actor, scope } = audience
  const taken = await take('email|x,age\na@b.example|1,2\n')
  const operations = datauploadOperations(folder)
  const changed = await operations.patch(
    database.sql,
    actor,
    scope,
    Number(taken.id),
    { delimiter: '|' },
    { revision: null },
  )
  expect(changed).toMatchObject({
    header: ['email', 'x,age'],
    mapping: [{ column: 'email' }, { column: null }],
  })
})

test('a name of a file is no path', async () => {
  expect(await take('email\na@b.example\n', {}, '../../etc/..\\evil.csv')).toMatchObject({
    filename: 'evil.csv',
  })
})
