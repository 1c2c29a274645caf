import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { UploadData } from '@emma/contract/actions/audience.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { blacklistOperations } from '../blacklists/blacklist-operations.ts'
import { membertableOperations } from '../datasources/datasource-operations.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { createMember, patchMember, unsubscribeMember } from '../members/write-member.ts'
import { runUpload } from './run-upload.ts'
import { cleanUndoRecords, countUndo, runUndo, startUndo } from './undo-upload.ts'
import { datauploadOperations, startUpload, takeUpload } from './upload-operations.ts'

let audience: TestAudience
let folder: string
let tableId: number
let source: Datasource
beforeAll(async () => {
  audience = await createTestAudience()
  folder = mkdtempSync(join(tmpdir(), 'emma-undo-'))
  const { db } = audience.database
  // Replaces the tables of the jobs role, which do not exist here.
  await sql`create schema graphile_worker`.execute(db)
  await sql`create function graphile_worker.add_job(identifier text, payload json, job_key text, max_attempts int)
    returns void language sql as ''`.execute(db)
})
afterAll(async () => {
  await audience.database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function newTable(): Promise<void> {
  tableId = await createTestDatasource(audience, [
    { column_name: 'firstname', data_type: 'string' },
    { column_name: 'age', data_type: 'int' },
    { column_name: 'seen', data_type: 'datetime' },
  ])
  // The next datasource has the same name.
  await sql`update member_table set name = ${`Members ${tableId}`} where member_table_id = ${tableId}`.execute(
    audience.database.db,
  )
  source = await readDatasource(audience.database.db, audience.scope, tableId)
}

async function importRows(lines: readonly string[], data: Partial<UploadData> = {}): Promise<number> {
  const { database, actor, clientId } = audience
  const upload = { member_table_id: tableId, ...data }
  const file = Readable.from([Buffer.from(['email,firstname,age,seen', ...lines].join('\n'))])
  const { id } = await takeUpload(database.db, actor, folder, upload, 'people.csv', file)
  await database.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', Number(id)).execute()
  await runUpload({ db: database.db, pool: database.pool, folder }, clientId, Number(id))
  return Number(id)
}

async function undo(id: number) {
  const { database, actor, scope, clientId } = audience
  await startUndo(database.db, actor, scope, id)
  await runUndo({ db: database.db, pool: database.pool }, clientId, id)
  return datauploadOperations(folder).find(database.db, actor, scope, id)
}

async function members() {
  const { rows } = await sql<{ member_id: number; email: string }>`
    select member_id, email, firstname, age, seen::text as seen, source, dateunjoin is not null as gone
    from ${membersTable(tableId)} order by email`.execute(audience.database.db)
  return rows
}

async function idOf(email: string): Promise<number> {
  return (await members()).find(member => member.email === email)?.member_id ?? 0
}

function add(email: string, firstname: string, age: number) {
  return createMember(audience.database.db, audience.actor, source, {
    email,
    firstname,
    age,
    seen: '2026-01-02 03:04:05.678Z',
  })
}

test('import undo: restores the members; the count beforehand gives the same figures', async () => {
  await newTable()
  await add('ann@x.example', 'Ann', 30)
  await add('same@x.example', 'Same', 40)
  const before = await members()
  const id = await importRows([
    'ANN@x.example,Anna,,',
    'same@x.example,Same,40,2026-01-02 03:04:05.678Z',
    'new1@x.example,N,1,',
    'new2@x.example,N,2,',
  ])
  expect(await members()).not.toEqual(before)
  const { database, scope, actor } = audience
  expect(await countUndo(database.db, scope, id)).toEqual({ removed: 2, restored: 1, kept: 0 })
  const upload = await datauploadOperations(folder).find(database.db, actor, scope, id)
  expect(upload.undo_until).toEqual(expect.any(String))
  expect(await undo(id)).toMatchObject({
    status: 3,
    undo_until: null,
    undo: { state: 'finished', removed: 2, restored: 1, kept: 0 },
  })
  expect(await members()).toEqual(before)
  const log = await sql`select changes from change_log
    where object = 'dataupload' and object_id = ${id} and action = 'undo' order by id`.execute(database.db)
  expect(log.rows).toEqual([
    { changes: { undo: [null, 'running'] } },
    { changes: { removed: [null, 2], restored: [null, 1], kept: [null, 0] } },
  ])
  const news = await sql`select user_id, kind, code, details from notification
    where path = ${`/subscribers/dataupload/edit/${id}`} and code like 'undo%'`.execute(database.db)
  expect(news.rows).toEqual([
    {
      user_id: actor.userId,
      kind: 'success',
      code: 'undo_finished',
      details: { name: 'people.csv', removed: 2, restored: 1, kept: 0 },
    },
  ])
  const left = await sql`select from upload_change where upload_id = ${id}`.execute(database.db)
  expect(left.rows).toEqual([])
  await expect(undo(id)).rejects.toMatchObject({ code: 'wrong_state' })
})

test('import undo: keeps members that were mailed, opted out, or changed by a user or a later import', async () => {
  await newTable()
  const { db } = audience.database
  const { clientId, actor, scope } = audience
  await add('edited@x.example', 'Before', 1)
  await add('reimported@x.example', 'Before', 1)
  await add('free@x.example', 'Before', 1)
  const id = await importRows([
    'edited@x.example,After,2,',
    'reimported@x.example,After,2,',
    'free@x.example,After,2,',
    'sent@x.example,N,3,',
    'queued@x.example,N,3,',
    'skipped@x.example,N,3,',
    'left@x.example,N,3,',
    'byhand@x.example,N,3,',
    'again@x.example,N,3,',
    'gone@x.example,N,3,',
  ])
  await patchMember(db, actor, source, await idOf('edited@x.example'), { age: 9 }, { revision: null })
  await patchMember(db, actor, source, await idOf('byhand@x.example'), { age: 9 }, { revision: null })
  await unsubscribeMember(db, actor, source, await idOf('left@x.example'))
  await sql`update ${membersTable(tableId)} set last_sent_at = now() where email = 'sent@x.example'`.execute(
    db,
  )
  const { campagne_id } = await db
    .insertInto('campaign')
    .values({ client_id: clientId, name: 'Spring' })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  for (const [email, state] of [
    ['queued@x.example', 'pending'],
    ['skipped@x.example', 'skipped'],
  ] as const)
    await db
      .insertInto('delivery')
      .values({ client_id: clientId, campagne_id, member_id: await idOf(email), email, state })
      .execute()
  await importRows(['reimported@x.example,Later,5,', 'again@x.example,Later,5,'])
  const before = await members()
  expect(await countUndo(db, scope, id)).toEqual({ removed: 2, restored: 1, kept: 7 })
  expect((await undo(id)).undo).toMatchObject({ removed: 2, restored: 1, kept: 7 })
  const after = await members()
  const gone = ['gone@x.example', 'skipped@x.example']
  expect(after).toEqual(
    before
      .filter(({ email }) => !gone.includes(email))
      .map(member =>
        member.email === 'free@x.example'
          ? { ...member, firstname: 'Before', age: 1, seen: '2026-01-02 03:04:05+00' }
          : member,
      ),
  )
})

test('import undo: an earlier opt-out of an added member stays in force', async () => {
  await newTable()
  const { db } = audience.database
  const { member_id } = await add('optout@x.example', 'Old', 1)
  await unsubscribeMember(db, audience.actor, source, Number(member_id))
  await importRows(['optout@x.example,,,'], { mode: 'delete' })
  const id = await importRows(['optout@x.example,New,2,'])
  expect(await members()).toMatchObject([{ email: 'optout@x.example', gone: true }])
  expect((await undo(id)).undo).toMatchObject({ removed: 1 })
  expect(await members()).toEqual([])
  await importRows(['optout@x.example,Third,3,'])
  expect(await members()).toMatchObject([{ email: 'optout@x.example', gone: true }])
})

test('import undo: affects only members of the import, in several batches', async () => {
  await newTable()
  await importRows(['first@x.example,F,1,'])
  const many = Array.from({ length: 25_000 }, (_, at) => `many${at}@x.example,M,${at},`)
  const added = await importRows(many)
  await add('between@x.example', 'B', 1)
  const changed = await importRows(many.map(line => line.replace(',M,', ',Changed,')))
  expect((await undo(changed)).undo).toMatchObject({ removed: 0, restored: 25_000, kept: 0 })
  const { rows } = await sql`select distinct firstname from ${membersTable(tableId)} order by 1`.execute(
    audience.database.db,
  )
  expect(rows).toEqual([{ firstname: 'B' }, { firstname: 'F' }, { firstname: 'M' }])
  expect((await undo(added)).undo).toMatchObject({ removed: 0, restored: 0, kept: 25_000 })
  const third = await importRows(many.map(line => `z${line}`))
  expect((await undo(third)).undo).toMatchObject({ removed: 25_000, restored: 0, kept: 0 })
  expect(await members()).toHaveLength(25_002)
})

test('import undo: works after a column was removed or changed its type', async () => {
  await newTable()
  await add('typed@x.example', 'Name', 7)
  const id = await importRows(['typed@x.example,12,8,'])
  const { db } = audience.database
  await sql`alter table ${membersTable(tableId)} drop column seen`.execute(db)
  await sql`delete from member_table_column where member_table_id = ${tableId} and column_name = 'seen'`.execute(
    db,
  )
  await sql`alter table ${membersTable(tableId)} alter column firstname type bigint using firstname::bigint`.execute(
    db,
  )
  await sql`update member_table_column set data_type = 'int'
    where member_table_id = ${tableId} and column_name = 'firstname'`.execute(db)
  expect((await undo(id)).undo).toMatchObject({ restored: 1 })
  const { rows } = await sql`select firstname::text as firstname, age from ${membersTable(tableId)}`.execute(
    db,
  )
  expect(rows).toEqual([{ firstname: '12', age: 7 }])
})

test('import undo: a failure is notified once, changes nothing, and can be retried', async () => {
  await newTable()
  const { db, pool } = audience.database
  const { clientId } = audience
  const id = await importRows(['fails@x.example,F,1,'])
  const table = membersTable(tableId)
  await sql`create function no_delete() returns trigger language plpgsql
    as $$ begin raise exception 'no delete'; end $$`.execute(db)
  await sql`create trigger no_delete before delete on ${table} execute function no_delete()`.execute(db)
  await expect(undo(id)).rejects.toThrow('no delete')
  await runUndo({ db, pool }, clientId, id)
  const news = await sql`select kind, code from notification
    where path = ${`/subscribers/dataupload/edit/${id}`} and code like 'undo%'`.execute(db)
  expect(news.rows).toEqual([{ kind: 'danger', code: 'undo_failed' }])
  expect(await members()).toHaveLength(1)
  await sql`drop trigger no_delete on ${table}`.execute(db)
  expect(await undo(id)).toMatchObject({ undo: { state: 'finished', removed: 1 } })
})

test('uploads: an upload and its datasource cannot be deleted during an import or undo', async () => {
  await newTable()
  const { db, pool } = audience.database
  const { actor, scope, clientId } = audience
  const uploads = datauploadOperations(folder)
  const id = await importRows(['busy@x.example,B,1,'])
  const remove = [
    () => uploads.remove(db, actor, scope, id, { revision: null }),
    () => membertableOperations.remove(db, actor, scope, tableId, { revision: null }),
  ] as const
  const check = () => membertableOperations.removal(db, actor, scope, tableId)
  await startUndo(db, actor, scope, id)
  await expect(remove[0]()).rejects.toMatchObject({ code: 'wrong_state', message: /being undone/ })
  await expect(remove[1]()).rejects.toMatchObject({
    code: 'in_use',
    message: 'Still in use by the running import or undo of "people.csv"',
  })
  expect(await check()).toEqual({
    deletable: false,
    references: [{ type: 'dataupload', id, name: 'people.csv' }],
  })
  await runUndo({ db, pool }, clientId, id)
  expect(await check()).toEqual({ deletable: true, references: [] })

  const importing = await importRows(['busy@x.example,B,1,'])
  await db.updateTable('data_upload').set({ status: 2 }).where('id', '=', importing).execute()
  await expect(uploads.remove(db, actor, scope, importing, { revision: null })).rejects.toMatchObject({
    code: 'wrong_state',
  })
  await expect(remove[1]()).rejects.toMatchObject({ code: 'in_use' })
  await db.updateTable('data_upload').set({ status: 3 }).where('id', '=', importing).execute()
  await remove[0]()
  await remove[1]()
})

test.for(['upload', 'datasource'] as const)(
  'import undo: does not start while a deletion of its %s is uncommitted',
  async deleted => {
    await newTable()
    const { db } = audience.database
    const { actor, scope } = audience
    const id = await importRows(['late@x.example,L,1,'])
    const deleting = await db.startTransaction().execute()
    const [operations, key] =
      deleted === 'upload' ? [datauploadOperations(folder), id] : [membertableOperations, tableId]
    await operations.remove(deleting, actor, scope, Number(key), { revision: null })
    const starting = startUndo(db, actor, scope, id).catch((error: unknown) => error)
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        expect(rows).toHaveLength(1)
      },
      { timeout: 60_000 },
    )
    await deleting.commit().execute()
    expect(await starting).toMatchObject({ code: deleted === 'upload' ? 'wrong_state' : 'not_found' })
  },
)

test('uploads: a suppression list cannot be deleted during its import', async () => {
  const { db } = audience.database
  const { actor, scope, clientId } = audience
  const list = await blacklistOperations.create(db, actor, clientId, {
    name: 'Busy list',
    kind: 'campaign',
    match: 'email',
  })
  const listId = Number(list.blacklist_id)
  const file = Readable.from([Buffer.from('a@x.example\nb@x.example\n')])
  const { id } = await takeUpload(db, actor, folder, { blacklist_id: listId }, 'list.csv', file)
  const remove = () => blacklistOperations.remove(db, actor, scope, listId, { revision: null })
  await startUpload(db, actor, scope, folder, Number(id))
  await expect(remove()).rejects.toMatchObject({ code: 'in_use', message: /undo of "list.csv"/ })
  await runUpload({ db, pool: audience.database.pool, folder }, clientId, Number(id))
  await remove()
})

test('import undo: rejected for a foreign upload, tests, other modes and after 30 days', async () => {
  await newTable()
  const { db } = audience.database
  const { actor, scope, clientId } = audience
  const id = await importRows(['old@x.example,O,1,'])
  const changing = await importRows(['old@x.example,P,2,'])
  const foreign = { clientIds: [clientId + 1] }
  await expect(countUndo(db, foreign, id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(startUndo(db, actor, foreign, id)).rejects.toMatchObject({ code: 'not_found' })
  const deleting = await importRows(['nobody@x.example,,,'], { mode: 'delete' })
  await expect(startUndo(db, actor, scope, deleting)).rejects.toMatchObject({ code: 'wrong_state' })
  const tested = await importRows(['tested@x.example,T,1,'], { test: true })
  await expect(startUndo(db, actor, scope, tested)).rejects.toMatchObject({ code: 'wrong_state' })
  const kept = () => sql`select from upload_change where upload_id = ${changing}`.execute(db)
  await cleanUndoRecords(db)
  expect((await kept()).rows).toHaveLength(1)
  await sql`update data_upload set finished_at = finished_at - interval '31 days'
    where id = any(${[id, changing]})`.execute(db)
  await expect(startUndo(db, actor, scope, id)).rejects.toMatchObject({ code: 'wrong_state' })
  const record = await datauploadOperations(folder).find(db, actor, scope, id)
  expect(record.undo_until).toBeNull()
  await cleanUndoRecords(db)
  expect((await kept()).rows).toEqual([])
})
