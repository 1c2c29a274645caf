import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { UploadData } from '@emma/contract/actions/audience.ts'
import { sql } from 'kysely'
import writeXlsxFile from 'write-excel-file/node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { membersTable } from '../datasources/datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { holdUpload, runUpload } from './run-upload.ts'
import { readQuota, reserveQuota } from './quota.ts'
import { createRowReservation } from './upload-reservation.ts'
import { cancelUpload, datauploadOperations, startUpload, takeUpload } from './upload-operations.ts'

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
  return takeUpload(database.db, actor, folder, upload, name, Readable.from([Buffer.from(content)]))
}

/** Runs an import as `start` does, without the queue. */
async function run(id: number, signal?: AbortSignal) {
  const { database, actor, scope, clientId } = audience
  await database.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  const work = { db: database.db, pool: database.pool, folder, ...(signal ? { signal } : {}) }
  await runUpload(work, clientId, id)
  return datauploadOperations(folder).find(database.db, actor, scope, id)
}

async function upload(content: string | Buffer, data: Partial<UploadData> = {}) {
  return run(Number((await take(content, data)).id))
}

async function members(where = 'true') {
  const found = await sql<Record<string, unknown>>`
    select email, firstname, age, note, dateunjoin is not null as gone, source from ${membersTable(tableId)}
    where ${sql.raw(where)} order by email`.execute(audience.database.db)
  return found.rows
}

async function errorsOf(id: unknown): Promise<string[]> {
  const { error_file } = await audience.database.db
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

test('R281 every row is counted once, and rejected rows are in the error file with their reason', async () => {
  const { db } = audience.database
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: 'Global', kind: 'client' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('blacklist_entry')
    .values({ client_id: audience.clientId, blacklist_id, value: 'blocked@count.example' })
    .execute()
  await db.insertInto('internal_blacklist_entry').values({ value: 'trap.example', match: 'domain' }).execute()
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
    '4,is suppressed: on a suppression list of this client,email,Blocked@count.example,b,2,',
    '5,is suppressed: on the suppression list of the platform,email,x@trap.example,t,3,',
    '6,The email address has no @.,email,broken,c,4,',
    '7,has 2 cells instead of 4,,few@count.example,only two',
    '8,"is empty, but required",email,,empty,5,',
    '9,is not a whole number,age,old@count.example,d,old,',
  ])
  const source = await db
    .selectFrom('member_table')
    .selectAll()
    .where('member_table_id', '=', tableId)
    .executeTakeFirstOrThrow()
  expect(source.stats_total).toBe(2)
  expect(readdirSync(folder).filter(name => !name.endsWith('.errors.csv'))).not.toContain(
    (await db.selectFrom('data_upload').select('file').where('id', '=', Number(done.id)).executeTakeFirst())
      ?.file,
  )
})

test('each mode handles existing and unknown addresses', async () => {
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
      rows_updated: 2,
      rows_invalid: 0,
    },
  )
  expect(await upload(file.replace('Old', 'Back'))).toMatchObject({ rows_updated: 1, rows_unchanged: 2 })
  expect((await members("email = 'b@mode.example'"))[0]).toMatchObject({ firstname: 'Back', gone: true })
  const event = await audience.database.db
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
])('umlauts are read from %s', async ([, bytes, charset]) => {
  const taken = await take(bytes)
  expect(taken).toMatchObject({ charset, header: ['email', 'firstname'] })
  await run(Number(taken.id))
  expect(await members("email = 'a@w.example'")).toMatchObject([{ firstname: 'Jürgen' }])
})

/** More than the analysis reads. */
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
  ['a ZIP archive', Buffer.from('504b0304aabbcc', 'hex'), {}, 'The file is a ZIP archive'],
  ['zero bytes', 'email\0,a\nb\0\n', {}, 'The file is not a text file'],
])('%s is rejected with a message, and nothing is stored', async ([, content, data, words]) => {
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
])('%s fails the import with a message, and nothing is changed', async ([, content, data, words]) => {
  const failed = await upload(content, data)
  expect(failed).toMatchObject({ status: 4, error: expect.stringContaining(words), has_error_file: false })
  expect(await members("email like '%fail.example'")).toEqual([])
})

test('a failed import can be corrected and restarted', async () => {
  const { database, actor, scope } = audience
  const taken = await take('email,years\nmend@again.example,5\n', { mapping: [{ index: 1, column: 'age' }] })
  const id = Number(taken.id)
  expect(await run(id)).toMatchObject({ status: 4 })
  const mapping = [
    { index: 0, column: 'email' },
    { index: 1, column: 'age' },
  ]
  const input = { mapping: [...mapping] }
  await datauploadOperations(folder).patch(database.db, actor, scope, id, input, { revision: null })
  expect(await run(id)).toMatchObject({ status: 3, rows_inserted: 1, error: null })
})

test('two concurrent runs import once', async () => {
  const { database, clientId } = audience
  const id = Number((await take('email\nonce@twice.example\n')).id)
  await database.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  const work = { db: database.db, pool: database.pool, folder }
  await Promise.all([runUpload(work, clientId, id), runUpload(work, clientId, id)])
  expect(await members("email like '%twice.example'")).toHaveLength(1)
})

test('an import restarted while the failed run still holds the lock is run', async () => {
  const { database, clientId } = audience
  const id = Number((await take('email\nagain@handover.example\n')).id)
  await database.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  const work = { db: database.db, pool: database.pool, folder }
  const held = Promise.withResolvers<void>()
  const before = holdUpload(database.pool, id, async () => {
    held.resolve()
    // Held until the other run has tried to lock it.
    await expect.poll(countAskers).toBeGreaterThan(1)
    return true
  })
  await held.promise
  await Promise.all([before, runUpload(work, clientId, id)])
  expect(await members("email like '%handover.example'")).toHaveLength(1)
})

/** Connections whose last query tried to lock an upload. */
async function countAskers(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where query like 'select pg_try_advisory_lock%' and datname = current_database()`.execute(
    audience.database.db,
  )
  return rows.length
}

test('an import that is cancelled or interrupted by a shutdown changes nothing', async () => {
  const { database, actor, scope } = audience
  const lines = Array.from({ length: 200_000 }, (_, n) => `p${n}@cancel.example`).join('\n')
  const id = Number((await take(`email\n${lines}\n`)).id)
  const stopping = new AbortController()
  const running = run(id, stopping.signal)
  setTimeout(() => stopping.abort(), 50)
  expect(await running).toMatchObject({ status: 2 })
  expect(await members("email like '%cancel.example'")).toEqual([])

  const again = run(id)
  await vi.waitFor(() => cancelUpload(database.db, actor, scope, id), { timeout: 60_000 })
  expect(await again).toMatchObject({ status: 5 })
  expect(await members("email like '%cancel.example'")).toEqual([])
})

test('a suppression list accepts a file without a header', async () => {
  const { db } = audience.database
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: 'Import', kind: 'campaign' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  const done = await upload('A@Black.example\nb@black.example\nnothing\na@black.example\n', { blacklist_id })
  expect(done).toMatchObject({ rows_inserted: 2, rows_invalid: 1, rows_duplicate: 1, rows_read: 4 })
  const values = await db
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
  const list = await db
    .selectFrom('blacklist')
    .select('count')
    .where('blacklist_id', '=', blacklist_id)
    .executeTakeFirst()
  expect(list?.count).toBe(1)
})

async function makeBlacklist(match: 'email' | 'domain' | 'md5', name: string) {
  const { blacklist_id } = await audience.database.db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name, kind: 'campaign', match })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  const entries = () =>
    audience.database.db
      .selectFrom('blacklist_entry')
      .select(['value', 'reason', 'expires_at'])
      .where('blacklist_id', '=', blacklist_id)
      .orderBy('value')
      .execute()
  return { blacklist_id, entries }
}

test('unsubscribe and delete ignore all cells but the address', async () => {
  await upload('email\nann@key.example\nbob@key.example\ncem@key.example\n')
  const file = 'email,age,firstname\nann@key.example,old,Ann\ncem@key.example,1,Cem,one more\n'
  expect(await upload(file, { mode: 'unsubscribe' })).toMatchObject({
    rows_updated: 2,
    has_error_file: false,
  })
  expect(await members("email like '%key.example' and dateunjoin is not null")).toHaveLength(2)
  expect(await upload(file, { mode: 'delete' })).toMatchObject({ rows_updated: 2, rows_ok: 2 })
  expect(await members("email like '%key.example'")).toMatchObject([{ email: 'bob@key.example' }])
})

test('a value is suppressed even if its reason or expiry is invalid', async () => {
  const { blacklist_id, entries } = await makeBlacklist('email', 'Repaired')
  const long = 'x'.repeat(300)
  const done = await upload(
    `email;reason;expires\na@fit.example;${long};\nb@fit.example;asked;next year\nc@fit.example\n`,
    { blacklist_id },
  )
  expect(done).toMatchObject({ rows_inserted: 3, rows_ok: 3, rows_repaired: 2, has_error_file: true })
  expect(await entries()).toEqual([
    { value: 'a@fit.example', reason: 'x'.repeat(255), expires_at: null },
    { value: 'b@fit.example', reason: 'asked', expires_at: null },
    { value: 'c@fit.example', reason: null, expires_at: null },
  ])
  expect((await errorsOf(done.id)).slice(1)).toEqual([
    `2;is longer than 255 characters: imported with this cell shortened;reason;a@fit.example;${long};`,
    '3;is not a time such as 2026-12-31 18:30 or 31.12.2026 18:30: imported with this cell empty;expires_at;b@fit.example;asked;next year',
  ])
})

test("times without an offset are in the client's time zone, an expiry date ends with that day", async () => {
  const { db } = audience.database
  const setZone = (timezone: string) =>
    db.updateTable('client').set({ timezone }).where('client_id', '=', audience.clientId).execute()
  await setZone('Europe/Berlin')
  await upload('email,datejoin\nlocal@zone.example,2026-07-01 18:30\nutc@zone.example,2026-07-01 18:30Z\n')
  const joined = await sql<{ datejoin: string }>`
    select datejoin from ${membersTable(tableId)} where email like '%zone.example' order by email`.execute(db)
  expect(joined.rows.map(row => new Date(row.datejoin).toISOString())).toEqual([
    '2026-07-01T16:30:00.000Z',
    '2026-07-01T18:30:00.000Z',
  ])
  const { blacklist_id, entries } = await makeBlacklist('email', 'Ends')
  await upload('email,expires\na@zone.example,31.12.2036\n', { blacklist_id })
  await setZone('UTC')
  const [entry] = await entries()
  expect(new Date(entry?.expires_at ?? '').toISOString()).toBe('2036-12-31T23:00:00.000Z')
})

test('ambiguous dates and numbers need a format, which applies to the whole column', async () => {
  const { database, actor, scope } = audience
  const source = await createTestDatasource(
    audience,
    [
      { column_name: 'born', data_type: 'date' },
      { column_name: 'revenue', data_type: 'decimal' },
    ],
    'Formats',
  )
  const file =
    'email,born,revenue\na@format.example,01/02/1990,"1,234"\nb@format.example,03/04/1990,"2,345"\n'
  const taken = await take(file, { member_table_id: source })
  expect(taken.formats).toEqual([
    { data_type: 'string', date_order: null, decimal_sign: null },
    { data_type: 'date', date_order: 'unclear', decimal_sign: null },
    { data_type: 'decimal', date_order: null, decimal_sign: 'unclear' },
  ])
  const id = Number(taken.id)
  await expect(startUpload(database.db, actor, scope, folder, id)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('The dates of "born" can be read in two ways'),
  })
  const mapping = [
    { index: 0, column: 'email' },
    { index: 1, column: 'born', date_order: 'mdy' },
    { index: 2, column: 'revenue', decimal_sign: '.' },
  ] as const
  const input = { mapping: [...mapping] }
  await datauploadOperations(folder).patch(database.db, actor, scope, id, input, { revision: null })
  expect(await run(id)).toMatchObject({ status: 3, rows_inserted: 2 })
  const rows =
    await sql`select born::text, revenue::text from ${membersTable(source)} order by email`.execute(
      database.db,
    )
  expect(rows.rows).toEqual([
    { born: '1990-01-02', revenue: '1234' },
    { born: '1990-03-04', revenue: '2345' },
  ])
  await upload('email,born,revenue\na@format.example,12/31/1990,"1,234.50"\n', { member_table_id: source })
  const decided =
    await sql`select born::text, revenue::text from ${membersTable(source)} order by email limit 1`.execute(
      database.db,
    )
  expect(decided.rows).toEqual([{ born: '1990-12-31', revenue: '1234.50' }])
})

test('the error file is in the language of the user who uploaded the file', async () => {
  const { db } = audience.database
  const setLanguage = (language: string) =>
    db.updateTable('client').set({ language }).where('client_id', '=', audience.clientId).execute()
  await setLanguage('de')
  const done = await upload('email,age\nbroken,1\na@say.example,old\nb@say.example\n')
  await setLanguage('en')
  expect(await errorsOf(done.id)).toEqual([
    '\ufeffZeile,Grund,Spalte,email,age',
    '2,Die E-Mail-Adresse hat kein @.,email,broken,1',
    '3,ist keine ganze Zahl,age,a@say.example,old',
    '4,hat 1 statt 2 Zellen,,b@say.example',
  ])
})

test('invalid optional cells can be imported as empty', async () => {
  const { database, actor, scope } = audience
  const taken = await take('email,firstname,age\na@cell.example,Ann,old\nbroken,Bob,1\n')
  const id = Number(taken.id)
  await datauploadOperations(folder).patch(
    database.db,
    actor,
    scope,
    id,
    { empty_bad_cells: true },
    { revision: null },
  )
  expect(await run(id)).toMatchObject({ rows_inserted: 1, rows_repaired: 1, rows_invalid: 1 })
  expect(await members("email = 'a@cell.example'")).toMatchObject([{ firstname: 'Ann', age: null }])
  expect(await errorsOf(id)).toContain(
    '2,is not a whole number: imported with this cell empty,age,a@cell.example,Ann,old',
  )
})

test('an Excel workbook is imported like a CSV file', async () => {
  const bytes = await writeXlsxFile([
    [{ value: 'email' }, { value: 'firstname' }, { value: 'age' }],
    [{ value: 'a@excel.example' }, { value: 'Jürgen' }, { type: Number, value: 42 }],
  ]).toBuffer()
  const taken = await take(bytes, {}, 'people.xlsx')
  expect(taken).toMatchObject({ filename: 'people.xlsx', header: ['email', 'firstname', 'age'] })
  expect(await run(Number(taken.id))).toMatchObject({ rows_inserted: 1 })
  expect(await members("email = 'a@excel.example'")).toMatchObject([{ firstname: 'Jürgen', age: 42 }])
})

test.for<['domain' | 'md5', string, string[]]>([
  ['domain', 'alone.example\n', ['alone.example']],
  ['domain', 'domain\none.example\ntwo.example', ['one.example', 'two.example']],
  ['md5', `${'a'.repeat(32)}\n${'B'.repeat(32)}\n`, ['a'.repeat(32), 'b'.repeat(32)]],
])('the first line of a list of %ss without a header counts: %j', async ([match, content, values]) => {
  const { blacklist_id, entries } = await makeBlacklist(match, `Headless ${content.slice(0, 9)}`)
  await upload(content, { blacklist_id })
  expect((await entries()).map(entry => entry.value)).toEqual(values)
})

test('a test writes nothing, reports the result of each row, and can be followed by the import', async () => {
  await upload('email,firstname\nold@test.example,Old\n')
  const file = 'email,firstname\nold@test.example,New\nnew@test.example,New\nbroken,x\n'
  const tested = await upload(file, { test: true })
  expect(tested).toMatchObject({
    status: 3,
    test: true,
    rows_inserted: 1,
    rows_updated: 1,
    rows_invalid: 1,
    has_error_file: true,
  })
  expect(await members("email like '%test.example'")).toMatchObject([{ firstname: 'Old' }])
  const { database, actor, scope } = audience
  const operations = datauploadOperations(folder)
  const id = Number(tested.id)
  const changed = await operations.patch(database.db, actor, scope, id, { test: false }, { revision: null })
  expect(changed).toMatchObject({ status: 1 })
  expect(await run(id)).toMatchObject({ status: 3, rows_inserted: 1, rows_updated: 1 })
  expect(await members("email like '%test.example'")).toMatchObject([
    { firstname: 'New' },
    { firstname: 'New' },
  ])
})

test('the notification counts every row that is not imported, like the page', async () => {
  const done = await upload('email\nx@count.example\nx@count.example\nbroken\n')
  const { details } = await audience.database.db
    .selectFrom('notification')
    .select('details')
    .where('code', '=', 'import_finished_with_errors')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(details).toMatchObject({ rows: 3, errors: 2 })
  expect(Number(done.rows) - Number(done.rows_ok)).toBe(2)
})

test.for<[string, Buffer]>([
  [
    'a last line of windows-1252 without an end',
    Buffer.from('email,firstname\ncr@real.example,Jürgen', 'latin1'),
  ],
  ['a last line of UTF-8 without an end', Buffer.from('email,firstname\ncr@real.example,Jürgen')],
  ['returns alone', Buffer.from('email,firstname\rcr@real.example,Jürgen\rx@real.example,X\r', 'latin1')],
  ['sep= and a title', Buffer.from('sep=;\nCustomers;\nemail;firstname\ncr@real.example;Jürgen\n')],
])('reads files with %s', async ([, bytes]) => {
  await upload(bytes)
  expect(await members("email = 'cr@real.example'")).toMatchObject([{ firstname: 'Jürgen' }])
  await upload('email\ncr@real.example\n', { mode: 'delete' })
})

test('the quota counts concurrent, failed and deleted uploads, and is never exceeded', async () => {
  const { database, actor, clientId, scope } = audience
  const used = async () => (await readQuota(database.db, clientId)).bytes_used
  const before = await used()
  const limit = (await readQuota(database.db, clientId)).bytes_limit
  const content = 'email\na@b.example\n'
  const kept = await take(content)
  await datauploadOperations(folder).remove(database.db, actor, scope, Number(kept.id), {
    revision: null,
  })
  await expect(take('a@b.example\nc@d.example\n')).rejects.toThrow('It must name the columns')
  expect((await used()) - before).toBeGreaterThan(content.length)
  const almost = limit - 20 * 1024 ** 2
  await database.db
    .updateTable('upload_usage')
    .set({ bytes: almost })
    .where('client_id', '=', clientId)
    .execute()
  const results = await Promise.allSettled([
    reserveQuota(database.db, clientId, 'bytes', 15 * 1024 ** 2),
    reserveQuota(database.db, clientId, 'bytes', 15 * 1024 ** 2),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(take(content)).rejects.toThrow("This month's uploads are used up")
  expect(await used()).toBe(almost + 15 * 1024 ** 2)
  await database.db
    .updateTable('upload_usage')
    .set({ bytes: before })
    .where('client_id', '=', clientId)
    .execute()
})

test('concurrent imports share the month’s rows', async () => {
  const { database, clientId } = audience
  const quota = () => readQuota(database.db, clientId)
  const { rows_used: before, rows_limit: limit } = await quota()
  const setRows = (rows: number) =>
    database.db.updateTable('upload_usage').set({ rows }).where('client_id', '=', clientId).execute()
  const file = (name: string) =>
    `email\n${Array.from({ length: 10 }, (_, at) => `${name}${at}@quota.example\n`).join('')}`
  const taken = await Promise.all(['a', 'b', 'c', 'd'].map(name => take(file(name))))
  await setRows(limit - 25)
  const done = await Promise.all(taken.map(({ id }) => run(Number(id))))
  expect(done.map(({ status }) => Number(status)).toSorted((a, b) => a - b)).toEqual([3, 3, 4, 4])
  for (const { error } of done.filter(({ status }) => status === 4))
    expect(error).toContain("This month's uploads are used up")
  expect((await quota()).rows_used).toBe(limit - 5)
  expect(await members("email like '%@quota.example'")).toHaveLength(20)

  // A test imports nothing, but is rejected like the import would be.
  await setRows(limit - 10)
  const tested = await take(file('e'), { test: true })
  expect(await run(Number(tested.id))).toMatchObject({ status: 3, rows_read: 10 })
  expect((await quota()).rows_used).toBe(limit - 10)
  await setRows(limit - 9)
  expect(await upload(file('e'), { test: true })).toMatchObject({ status: 4 })
  await setRows(before)
})

test('the rows of an upload count once, even after retries', async () => {
  const { database, clientId } = audience
  const used = async () => (await readQuota(database.db, clientId)).rows_used
  const set = (values: { mode?: 'update' | 'upsert'; test?: boolean }, id: number) =>
    database.db.updateTable('data_upload').set(values).where('id', '=', id).execute()
  const before = await used()
  const lines = Array.from({ length: 12 }, (_, at) => `${at},r${at}@retry.example\n`).join('')
  const taken = await take(`age,email\n${lines}`)
  const id = Number(taken.id)
  const failure = await failMerges()
  await expect(run(id)).rejects.toThrow('no merge')
  await expect(run(id)).rejects.toThrow('no merge')
  await failure.end()
  expect((await used()) - before).toBe(12)

  // A test returns only what it reserved itself.
  await set({ test: true }, id)
  expect(await run(id)).toMatchObject({ status: 3, rows_read: 12 })
  expect((await used()) - before).toBe(12)
  await set({ test: false }, id)
  expect(await run(id)).toMatchObject({ status: 3, rows_inserted: 12 })
  expect((await used()) - before).toBe(12)
})

test('rows that a process reserved before it died are not reserved again', async () => {
  const { database, clientId } = audience
  const used = async () => (await readQuota(database.db, clientId)).rows_used
  const before = await used()
  const id = Number((await take('email\na@died.example\nb@died.example\n')).id)
  const reservation = await createRowReservation(database.db, { client_id: clientId, id })
  await reservation.reserve(1)
  expect((await used()) - before).toBe(10_000)
  expect(await run(id)).toMatchObject({ status: 3, rows_inserted: 2 })
  expect((await used()) - before).toBe(2)
})

/** Makes every insert into the datasource fail until `end`. */
async function failMerges() {
  const { db } = audience.database
  const members = membersTable(tableId)
  await sql`create function no_merge() returns trigger language plpgsql
    as $$ begin raise exception 'no merge'; end $$`.execute(db)
  await sql`create trigger no_merge before insert on ${members} execute function no_merge()`.execute(db)
  return {
    end: async () => {
      await sql`drop trigger no_merge on ${members}`.execute(db)
      await sql`drop function no_merge()`.execute(db)
    },
  }
}

test('another client can neither upload to a datasource nor read the upload', async () => {
  const { database, foreign } = audience
  const stream = () => Readable.from([Buffer.from('email\na@b.example\n')])
  await expect(
    takeUpload(database.db, foreign.actor, folder, { member_table_id: tableId }, 'x.csv', stream()),
  ).rejects.toThrow('Not found')
  await expect(
    takeUpload(
      database.db,
      foreign.actor,
      folder,
      { member_table_id: tableId, client_id: foreign.clientId },
      'x.csv',
      stream(),
    ),
  ).rejects.toThrow('There is no such datasource')
  const id = Number((await take('email\na@b.example\n')).id)
  await expect(
    datauploadOperations(folder).find(database.db, foreign.actor, foreign.scope, id),
  ).rejects.toThrow('Not found')
  await expect(cancelUpload(database.db, foreign.actor, foreign.scope, id)).rejects.toThrow('Not found')
})

test('another delimiter gives other columns', async () => {
  const { database, actor, scope } = audience
  const taken = await take('email|x,age\na@b.example|1,2\n')
  const operations = datauploadOperations(folder)
  const changed = await operations.patch(
    database.db,
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

test('paths are removed from file names', async () => {
  expect(await take('email\na@b.example\n', {}, '../../etc/..\\evil.csv')).toMatchObject({
    filename: 'evil.csv',
  })
})
