import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { UploadData } from '@emma/contract/actions/audience.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membersTable } from '../datasources/datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { previewUpload } from './preview-upload.ts'
import { runUpload } from './run-upload.ts'
import { takeUpload } from './upload-operations.ts'

let audience: TestAudience
let folder: string
let tableId: number
let blacklistId: number
beforeAll(async () => {
  audience = await createTestAudience()
  folder = mkdtempSync(join(tmpdir(), 'emma-previews-'))
  tableId = await createTestDatasource(audience, [
    { column_name: 'firstname', data_type: 'string' },
    { column_name: 'age', data_type: 'int' },
    { column_name: 'birthday', data_type: 'date' },
    { column_name: 'seen', data_type: 'datetime' },
    { column_name: 'note', data_type: 'text' },
  ])
  const { db } = audience.database
  await sql`insert into ${membersTable(tableId)} (client_id, email) values (${audience.clientId}, 'known@x.example')`.execute(
    db,
  )
  await sql`update client set timezone = 'Europe/Berlin' where client_id = ${audience.clientId}`.execute(db)
  const made = await db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: 'Global', kind: 'client' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  blacklistId = made.blacklist_id
  await db
    .insertInto('blacklist_entry')
    .values({ client_id: audience.clientId, blacklist_id: blacklistId, value: 'blocked@x.example' })
    .execute()
})
afterAll(async () => {
  await audience.database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function take(lines: readonly string[], data: Partial<UploadData> = {}) {
  const { database, actor } = audience
  const upload = { member_table_id: data.blacklist_id ? null : tableId, ...data }
  const file = Readable.from([Buffer.from(lines.join('\n'))])
  return Number((await takeUpload(database.db, actor, folder, upload, 'people.csv', file)).id)
}

function preview(id: number, question: Parameters<typeof previewUpload>[4] = {}, scope = audience.scope) {
  return previewUpload(audience.database.db, scope, folder, id, question)
}

const people = [
  'email,firstname,age,birthday,seen,note',
  'new@x.example,Zoë,42,31.12.1990,2026-07-01 18:30,"tab\t, back\\slash and\nline"',
  'KNOWN@x.example,Ann,,,,\\N',
  'blocked@x.example,Bob,1,,,',
  'broken,Cid,old,31.31.1990,,',
  'new@x.example,again,2,,,',
  'few@x.example,Dee',
  ' ,Eve,3,,,',
]

test('upload preview: rows as stored, with outcome and faults', async () => {
  const { columns, rows } = await preview(await take(people))
  expect(columns.map(({ index, column_name }) => [index, column_name])).toEqual([
    [0, 'email'],
    [1, 'firstname'],
    [2, 'age'],
    [3, 'birthday'],
    [4, 'seen'],
    [5, 'note'],
  ])
  expect(rows.map(({ row, outcome, reason, column }) => [row, outcome, reason, column])).toEqual([
    [2, 'new', null, null],
    [3, 'update', null, null],
    [4, 'skipped', 'is suppressed: on a suppression list of this client', null],
    [5, 'skipped', 'The email address has no @.', 'email'],
    [6, 'skipped', 'is in the file twice; the first row counts', 'email'],
    [7, 'skipped', 'has 2 cells instead of 6', null],
    [8, 'skipped', 'is empty, but required', 'email'],
  ])
  expect(rows[0]?.cells.map(({ value }) => value)).toEqual([
    'new@x.example',
    'Zoë',
    '42',
    '1990-12-31',
    '2026-07-01 18:30:00+02',
    'tab\t, back\\slash and\nline',
  ])
  expect(rows[1]?.cells.map(({ value }) => value)).toEqual([
    'KNOWN@x.example',
    'Ann',
    null,
    null,
    null,
    '\\N',
  ])
  expect(rows[3]?.cells.map(({ value, fault }) => [value, fault])).toEqual([
    ['broken', 'The email address has no @.'],
    ['Cid', null],
    ['old', 'is not a whole number'],
    ['31.31.1990', 'is not a date such as 2026-12-31 or 31.12.2026'],
    ['', null],
    ['', null],
  ])
})

test('upload preview: equals the import of the same file', async () => {
  const { db, pool } = audience.database
  const id = await take(people, { filename: 'same.csv' })
  const { rows } = await preview(id)
  await db.updateTable('data_upload').set({ status: 2, test: true }).where('id', '=', id).execute()
  await runUpload({ db, pool, folder }, audience.clientId, id)
  const done = await db.selectFrom('data_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const count = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).length
  expect({ status: done.status, read: Number(done.rows_read) }).toEqual({ status: 3, read: rows.length })
  expect(Number(done.rows_inserted)).toBe(count('new'))
  expect(Number(done.rows_updated)).toBe(count('update'))
})

test('upload preview: shows an unsaved mapping, new columns and emptied cells', async () => {
  const id = await take(people)
  const mapping = [
    { index: 0, column: 'email' },
    { index: 1, column: null },
    { index: 2, column: 'age' },
    { index: 5, column: 'remark', new_column: { label: 'Remark', data_type: 'string' as const } },
  ]
  const { columns, rows } = await preview(id, { mapping, empty_bad_cells: true })
  expect(columns.map(column => column.column_name)).toEqual(['email', 'age', 'remark'])
  expect(rows[0]).toMatchObject({
    outcome: 'new',
    cells: [
      { value: 'new@x.example', fault: null },
      { value: '42', fault: null },
      {
        value: null,
        fault: 'has line breaks or control characters: imported with this cell empty',
      },
    ],
  })
  const kept = await audience.database.db
    .selectFrom('data_upload')
    .select(['mapping', 'empty_bad_cells'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(kept.empty_bad_cells).toBe(false)
  expect(JSON.stringify(kept.mapping)).not.toContain('remark')
})

test('upload preview: stops after twenty rows and writes nothing', async () => {
  const { db } = audience.database
  const lines = Array.from({ length: 5000 }, (_, at) => `many${at}@x.example,Name ${at}`)
  const before = await sql`select count(*) from ${membersTable(tableId)}`.execute(db)
  const { rows } = await preview(await take(['email,firstname', ...lines]))
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2))
  expect(rows[19]?.cells[0]?.value).toBe('many19@x.example')
  expect(await sql`select count(*) from ${membersTable(tableId)}`.execute(db)).toEqual(before)
})

test.for([
  ['insert', ['new', 'skipped']],
  ['update', ['skipped', 'update']],
  ['unsubscribe', ['unsubscribe', 'unsubscribe']],
  ['delete', ['skipped', 'delete']],
] as const)('upload preview: outcomes of the mode %s', async ([mode, outcomes]) => {
  const id = await take(['email,age', 'x1@x.example,1', 'known@x.example,2'], { mode })
  expect((await preview(id)).rows.map(({ outcome }) => outcome)).toEqual(outcomes)
})

test('upload preview: entries of a suppression list', async () => {
  const id = await take(['value,reason', 'blocked@x.example,again', 'other@x.example,first', 'nobody,x'], {
    blacklist_id: blacklistId,
  })
  expect((await preview(id)).rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['update', null],
    ['new', null],
    ['skipped', 'The email address has no @.'],
  ])
})

test('upload preview: rejects an invalid mapping, a running import and a foreign upload', async () => {
  const id = await take(people)
  await expect(preview(id, { mapping: [{ index: 1, column: 'firstname' }] })).rejects.toMatchObject({
    code: 'invalid',
    fields: [{ field: 'mapping', message: expect.stringContaining('No column of the file is mapped') }],
  })
  await expect(preview(id, {}, { clientIds: [audience.clientId + 1] })).rejects.toMatchObject({
    code: 'not_found',
  })
  await audience.database.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  await expect(preview(id)).rejects.toMatchObject({ code: 'wrong_state' })
})
