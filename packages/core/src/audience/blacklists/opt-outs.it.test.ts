import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addEntries } from './blacklist-entries.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { recountChanged } from '../datasources/datasource-stats.ts'
import { eraseMember } from '../members/erase-member.ts'
import { unsubscribe } from '../subscription.ts'
import { suppressedBy } from './suppression.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import type { UploadMode } from '../uploads/import-target.ts'
import { runUpload } from '../uploads/run-upload.ts'
import { takeUpload } from '../uploads/upload-operations.ts'
import {
  createMember,
  deleteMember,
  patchMember,
  resubscribeMember,
  unsubscribeMember,
} from '../members/write-member.ts'

/** Opt-outs survive deletion, import, expiry and renewal. */

let audience: TestAudience
let source: Datasource
let other: Datasource
const folder = mkdtempSync(join(tmpdir(), 'emma-opt-outs-'))

beforeAll(async () => {
  audience = await createTestAudience()
  const { db } = audience.database
  source = await readDatasource(db, audience.scope, await createTestDatasource(audience))
  other = await readDatasource(db, audience.scope, await createTestDatasource(audience, [], 'Others'))
})
beforeEach(async () => {
  const { db } = audience.database
  for (const table of [source, other])
    await sql`delete from ${membersTable(table.member_table_id)}`.execute(db)
  for (const table of ['member_opt_out', 'member_pending_state', 'event', 'blacklist_entry'])
    await sql`delete from ${sql.id(table)}`.execute(db)
})
afterAll(async () => {
  await audience.database.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface UploadTo {
  mode: UploadMode
  blacklist_id?: number
}

async function upload(content: string, data: UploadTo) {
  const { database, actor, clientId } = audience
  const target = data.blacklist_id ? data : { member_table_id: source.member_table_id, ...data }
  const stream = Readable.from([Buffer.from(content)])
  const taken = await takeUpload(database.db, actor, folder, target, 'people.csv', stream)
  const id = Number(taken.id)
  await database.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  await runUpload({ db: database.db, pool: database.pool, folder }, clientId, id)
  return database.db.selectFrom('data_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

interface State {
  email: string
  unsubscribed: boolean
  complained: boolean
  bounced: boolean
  doi_state: string
}

async function members(table: Datasource = source): Promise<State[]> {
  const { rows } = await sql<State>`
    select email, dateunjoin is not null as unsubscribed, complained_at is not null as complained,
      hardbounced_at is not null as bounced, doi_state
    from ${membersTable(table.member_table_id)} order by lower(email)`.execute(audience.database.db)
  return rows
}

async function add(email: string, table: Datasource = source): Promise<number> {
  const { database, actor } = audience
  return Number((await createMember(database.db, actor, table, { email })).member_id)
}

async function addDecided(): Promise<void> {
  const { database, actor } = audience
  await unsubscribeMember(database.db, actor, source, await add('fay@x.example'))
  const gil = await add('gil@x.example')
  await sql`update ${membersTable(source.member_table_id)} set complained_at = now(), hardbounced_at = now()
    where member_id = ${gil}`.execute(database.db)
  const ida = await add('ida@x.example')
  await sql`update ${membersTable(source.member_table_id)} set doi_state = 'pending'
    where member_id = ${ida}`.execute(database.db)
  await add('max@x.example')
}

const file = 'email\nFAY@x.example\ngil@x.example\nida@x.example\nmax@x.example\n'
const asBefore = [
  { unsubscribed: true, complained: false, bounced: false, doi_state: 'none' },
  { unsubscribed: false, complained: true, bounced: true, doi_state: 'none' },
  { unsubscribed: false, complained: false, bounced: false, doi_state: 'pending' },
  { unsubscribed: false, complained: false, bounced: false, doi_state: 'none' },
]

test.for(['insert', 'upsert'] as const)(
  'members deleted by a file and added again by an upload (%s) keep their opt-outs',
  async mode => {
    await addDecided()
    expect(await upload(file, { mode: 'delete' })).toMatchObject({ rows_updated: 4 })
    expect(await members()).toEqual([])
    // For the second upload the table has its index and other members.
    expect(await upload(file, { mode })).toMatchObject({ rows_inserted: 4 })
    expect(await members()).toMatchObject(asBefore)
    await upload(file, { mode: 'delete' })
    await add('zoe@x.example')
    await upload(file, { mode })
    expect((await members()).slice(0, 4)).toMatchObject(asBefore)
  },
)

test('a member deleted and added again in the console keeps its opt-out in its datasource', async () => {
  const { database, actor } = audience
  await addDecided()
  for (const member of await sql<{ member_id: number }>`
    select member_id from ${membersTable(source.member_table_id)}`
    .execute(database.db)
    .then(found => found.rows))
    await deleteMember(database.db, actor, source, member.member_id, { revision: null })
  for (const name of ['fay', 'gil', 'ida', 'max']) await add(`${name}@X.example`)
  expect(await members()).toMatchObject(asBefore)
  await add('fay@x.example', other)
  expect(await members(other)).toMatchObject([{ unsubscribed: false }])
  const kept = await database.db.selectFrom('member_opt_out').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain('fay')
})

test('a resubscribed member stays subscribed after the next deletion', async () => {
  const { database, actor } = audience
  await addDecided()
  await upload('email\nfay@x.example\n', { mode: 'delete' })
  const fay = await add('fay@x.example')
  await resubscribeMember(database.db, actor, source, fay, 'asked by phone')
  await deleteMember(database.db, actor, source, fay, { revision: null })
  await add('fay@x.example')
  expect((await members())[0]).toMatchObject({ email: 'fay@x.example', unsubscribed: false })
})

test('an unsubscribe file also applies to addresses that are added later', async () => {
  await add('known@x.example')
  const done = await upload('email\nknown@x.example\nnew@x.example\n', { mode: 'unsubscribe' })
  expect(done).toMatchObject({ rows_updated: 2, rows_invalid: 0 })
  expect(await upload('email\nnew@x.example\n', { mode: 'unsubscribe' })).toMatchObject({ rows_unchanged: 1 })
  await upload('email\nNew@x.example\nelse@x.example\n', { mode: 'insert' })
  expect(await members()).toMatchObject([
    { email: 'else@x.example', unsubscribed: false },
    { email: 'known@x.example', unsubscribed: true },
    { email: 'New@x.example', unsubscribed: true },
  ])
})

test('a new address of a member starts without bounces and keeps opt-outs of the address', async () => {
  const { database, actor } = audience
  await addDecided()
  await upload('email\nfay@x.example\n', { mode: 'delete' })
  const gil = await sql<{ member_id: number }>`
    select member_id from ${membersTable(source.member_table_id)} where email = 'gil@x.example'`
    .execute(database.db)
    .then(found => found.rows[0]?.member_id ?? 0)
  await patchMember(database.db, actor, source, gil, { email: 'gil.new@x.example' }, { revision: null })
  expect((await members())[0]).toMatchObject({ email: 'gil.new@x.example', complained: true, bounced: false })
  await patchMember(database.db, actor, source, gil, { email: 'fay@x.example' }, { revision: null })
  expect((await members())[0]).toMatchObject({ email: 'fay@x.example', unsubscribed: true })
  await add('gil@x.example')
  expect((await members())[1]).toMatchObject({ email: 'gil@x.example', complained: true, bounced: true })
})

test('neither a file nor the API confirms a pending double opt-in', async () => {
  const { database, actor } = audience
  await addDecided()
  const states =
    'email,doi_state,doi_at\nida@x.example,confirmed,2026-01-01\nmax@x.example,confirmed,2026-01-01\n'
  for (const mode of ['update', 'upsert'] as const) await upload(states, { mode })
  expect((await members()).slice(2)).toMatchObject([{ doi_state: 'pending' }, { doi_state: 'confirmed' }])
  await upload('email,doi_state\nida@x.example,none\n', { mode: 'upsert' })
  expect((await members())[2]).toMatchObject({ doi_state: 'pending' })
  const { rows } = await sql<{ member_id: number }>`
    select member_id from ${membersTable(source.member_table_id)} where doi_state = 'pending'`.execute(
    database.db,
  )
  const ida = rows[0]?.member_id ?? 0
  await expect(
    patchMember(database.db, actor, source, ida, { doi_state: 'confirmed' }, { revision: null }),
  ).rejects.toThrow('doi_state: is pending: only the subscriber can confirm it')
  await patchMember(
    database.db,
    actor,
    source,
    ida,
    { doi_state: 'pending', source: 'fair' },
    { revision: null },
  )
})

async function blacklist(kind: 'client' | 'campaign' = 'client'): Promise<number> {
  const { blacklist_id } = await audience.database.db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: `List ${Math.random()}`, kind })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  return blacklist_id
}

async function isSuppressed(email: string): Promise<boolean> {
  const { db } = audience.database
  const reason = await suppressedBy(db, audience.clientId, [], sql`${email}::text`)
  const { rows } = await sql<{ reason: string | null }>`select ${reason} as reason`.execute(db)
  return rows[0]?.reason !== null
}

async function entry(value: string) {
  return audience.database.db
    .selectFrom('blacklist_entry')
    .select(['expires_at', 'reason'])
    .where('value', '=', value)
    .executeTakeFirst()
}

async function addExpired(blacklist_id: number): Promise<void> {
  const expires_at = '2025-11-01T00:00:00.000Z'
  await audience.database.db
    .insertInto('blacklist_entry')
    .values({ client_id: audience.clientId, blacklist_id, value: 'ann@x.example', expires_at, reason: 'old' })
    .execute()
  await sql`update blacklist set count = 1 where blacklist_id = ${blacklist_id}`.execute(audience.database.db)
  expect(await isSuppressed('ann@x.example')).toBe(false)
}

async function countOf(blacklist_id: number) {
  const list = await audience.database.db
    .selectFrom('blacklist')
    .select('count')
    .where('blacklist_id', '=', blacklist_id)
    .executeTakeFirstOrThrow()
  return list.count
}

test('an expired suppression is renewed by adding it again', async () => {
  const { database, actor, scope } = audience
  const id = await blacklist()
  await addExpired(id)
  const add = (expires_at: string | null) =>
    addEntries(database.db, actor, scope, id, { values: ['Ann@x.example'], reason: null, expires_at })
  expect(await add(null)).toEqual({ added: 1, existing: 0 })
  expect(await isSuppressed('ann@x.example')).toBe(true)
  expect(await entry('ann@x.example')).toEqual({ expires_at: null, reason: 'old' })
  expect(await add(null)).toEqual({ added: 0, existing: 1 })
  expect(await add('2099-01-01T00:00:00Z')).toEqual({ added: 0, existing: 1 })
  expect(await entry('ann@x.example')).toMatchObject({ expires_at: null })
  expect(await countOf(id)).toBe(1)
})

test('adding a suppression again extends its expiry, never shortens it', async () => {
  const { database, actor, scope } = audience
  const id = await blacklist()
  const add = (expires_at: string | null) =>
    addEntries(database.db, actor, scope, id, { values: ['ann@x.example'], expires_at })
  await add('2098-01-01T00:00:00Z')
  expect(await add('2099-01-01T00:00:00Z')).toEqual({ added: 0, existing: 1 })
  await add('2097-01-01T00:00:00Z')
  expect(await entry('ann@x.example')).toMatchObject({ expires_at: '2099-01-01T00:00:00.000Z' })
  await add(null)
  expect(await entry('ann@x.example')).toMatchObject({ expires_at: null })
})

test.for([
  { mode: 'insert' as const, header: 'email' },
  { mode: 'upsert' as const, header: 'email' },
  { mode: 'upsert' as const, header: 'email,expires_at' },
])('an upload ($mode, $header) renews an expired suppression', async ({ mode, header }) => {
  const id = await blacklist()
  await addExpired(id)
  const end = header === 'email' ? '' : ',2099-01-01'
  const done = await upload(`${header}\nann@x.example${end}\nnew@x.example${end}\n`, {
    blacklist_id: id,
    mode,
  })
  expect(done).toMatchObject({ rows_updated: 1, rows_inserted: 1, rows_duplicate: 0 })
  expect(await isSuppressed('ann@x.example')).toBe(true)
  // An expiry date without a time ends with that day.
  expect((await entry('ann@x.example'))?.expires_at ?? null).toBe(end ? '2099-01-02T00:00:00.000Z' : null)
  expect(await countOf(id)).toBe(2)
  const again = await upload(`${header}\nann@x.example${end}\n`, { blacklist_id: id, mode: 'insert' })
  expect(again).toMatchObject({ rows_updated: 0, rows_inserted: 0, rows_duplicate: 1 })
})

test('erasing a person again renews an expired suppression', async () => {
  const { database, actor } = audience
  await eraseMember(database.db, actor, source, await add('ann@x.example'))
  await sql`update blacklist_entry set expires_at = now() - interval '1 day'`.execute(database.db)
  expect(await isSuppressed('ann@x.example')).toBe(false)
  await eraseMember(database.db, actor, source, await add('ann@x.example'))
  expect(await isSuppressed('ann@x.example')).toBe(true)
})

test('unsubscribing several members at once keeps the counters consistent', async () => {
  const { database, actor } = audience
  const ids = []
  for (const name of ['ann', 'ben', 'cat', 'dan', 'eve']) ids.push(await add(`${name}@x.example`))
  await Promise.all(ids.slice(0, 3).map(id => unsubscribeMember(database.db, actor, source, id)))
  const counters = () =>
    database.db
      .selectFrom('member_table')
      .select(['stats_total', 'stats_active', 'stats_unsubscribed'])
      .where('member_table_id', '=', source.member_table_id)
      .executeTakeFirstOrThrow()
  expect(await counters()).toEqual({ stats_total: 5, stats_active: 2, stats_unsubscribed: 3 })
  await unsubscribe(database.db, source, [{ memberId: ids[3] ?? 0, campaignId: null }], { source: 'page' })
  await recountChanged(database.db, new Map())
  expect(await counters()).toEqual({ stats_total: 5, stats_active: 1, stats_unsubscribed: 4 })
  const waiting = await database.db.selectFrom('member_table_change').select('id').execute()
  expect(waiting).toEqual([])
})
