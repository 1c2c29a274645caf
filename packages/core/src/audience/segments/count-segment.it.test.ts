import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSegment } from './count-segment.ts'
import { membersTable } from '../datasources/datasource.ts'
import { listOperations } from './list-operations.ts'
import { suppressedBy } from '../blacklists/suppression.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'

let audience: TestAudience
let tableId: number
beforeAll(async () => {
  audience = await createTestAudience()
  tableId = await createTestDatasource(audience, [{ column_name: 'age', data_type: 'int' }])
  await sql`insert into ${membersTable(tableId)} (client_id, email, age)
    select ${audience.clientId}, 'M' || n || case when n % 2 = 0 then '@gmail.test' else '@Other.example' end, n
    from generate_series(1, 20) as n`.execute(audience.database.db)
})
afterAll(() => audience.database.drop())

async function addList(
  kind: 'campaign' | 'client',
  match: 'email' | 'domain' | 'md5' | 'sha256',
  values: string[],
) {
  const { db } = audience.database
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: audience.clientId, name: kind, kind, match })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('blacklist_entry')
    .values(values.map(value => ({ client_id: audience.clientId, blacklist_id, value })))
    .execute()
  return blacklist_id
}

async function reasonOf(email: string, blacklistIds: number[] = [], clientId = audience.clientId) {
  const { db } = audience.database
  const reason = await suppressedBy(db, clientId, blacklistIds, sql`${email}::text`)
  const found = await sql<{ reason: string | null }>`select ${reason} as reason`.execute(db)
  return found.rows[0]?.reason
}

test('an address is suppressed by itself, its domain or its digest, ignoring case', async () => {
  await addList('client', 'email', ['a@example.com'])
  await addList('client', 'domain', ['blocked.example'])
  await addList('client', 'md5', ['4b9bb80620f03eb3719e0a061c14283d'])
  await addList('client', 'sha256', [createHash('sha256').update('eva@example.com').digest('hex')])
  expect(await reasonOf('A@Example.COM')).toBe('blacklist_client')
  expect(await reasonOf('x@BLOCKED.example')).toBe('blacklist_client')
  expect(await reasonOf('bob@example.com')).toBe('blacklist_client')
  expect(await reasonOf('Eva@example.com')).toBe('blacklist_client')
  expect(await reasonOf('free@example.com')).toBeNull()
})

test('a campaign list applies only to campaigns that use it, an expired entry to none', async () => {
  const id = await addList('campaign', 'email', ['c@example.com', 'old@example.com'])
  await audience.database.db
    .updateTable('blacklist_entry')
    .set({ expires_at: '2020-01-01' })
    .where('value', '=', 'old@example.com')
    .execute()
  expect(await reasonOf('c@example.com')).toBeNull()
  expect(await reasonOf('c@example.com', [id])).toBe('blacklist_campaign')
  expect(await reasonOf('old@example.com', [id])).toBeNull()
  expect(await reasonOf('c@example.com', [id], audience.foreign.clientId)).toBeNull()
})

test('the internal list takes precedence, except for its exceptions', async () => {
  const { db } = audience.database
  await db
    .insertInto('internal_blacklist_entry')
    .values([{ value: 'a@example.com' }, { value: 'trap.example', match: 'domain' }])
    .execute()
  expect(await reasonOf('a@example.com')).toBe('blacklist_internal')
  expect(await reasonOf('x@trap.example')).toBe('blacklist_internal')
  await db
    .insertInto('internal_blacklist_exclude')
    .values([
      { value: 'a@example.com', client_id: null },
      { value: 'trap.example', client_id: audience.foreign.clientId },
    ])
    .execute()
  expect(await reasonOf('a@example.com')).toBe('blacklist_client')
  expect(await reasonOf('x@trap.example')).toBe('blacklist_internal')
  expect(await reasonOf('x@trap.example', [], audience.foreign.clientId)).toBeNull()
})

test('the figures of a count add up: excluded, skip reasons, and the rest by provider', async () => {
  const { database, actor, clientId, scope } = audience
  const { db } = database
  await sql`update ${membersTable(tableId)} set dateunjoin = now() where age = 2`.execute(db)
  await sql`update ${membersTable(tableId)} set hardbounced_at = now() where age = 3`.execute(db)
  const blacklist = await addList('campaign', 'email', ['m4@gmail.test', 'm1@other.example'])
  const exclude = await listOperations.create(db, actor, clientId, {
    name: 'Old',
    member_table_id: tableId,
    query: { combinator: 'and', rules: [{ field: 'age', operator: '>=', value: 19 }] },
  })
  expect(exclude).toMatchObject({ count: 2, kind: 'dynamic' })
  const count = await countSegment(db, scope, {
    member_table_id: tableId,
    query: null,
    include_unsubscribed: true,
    excludes: [Number(exclude.list_id)],
    blacklist_ids: [blacklist],
  })
  expect(count).toEqual({
    total: 20,
    excluded: 2,
    preblocked: { unsubscribed: 1, hardbounce: 1, blacklist_campaign: 2 },
    estimated_volume: 14,
    combined_volume: 14,
    by_provider: [
      { provider_id: 0, name: 'other', count: 7 },
      { provider_id: 5, name: 'Gmail', count: 7 },
    ],
  })
  const saved = await countSegment(db, scope, { list_id: Number(exclude.list_id), total_only: true })
  expect(saved.total).toBe(2)
  await expect(
    countSegment(db, audience.foreign.scope, { list_id: Number(exclude.list_id) }),
  ).rejects.toThrow('There is no such segment')
})

test('the frequency cap counts the mails an address got in the window', async () => {
  const { db } = audience.database
  const client_id = audience.clientId
  const capping = await db
    .insertInto('capping')
    .values({ client_id, name: 'One a day', max_mails: 1, period_hours: 24 })
    .returning('capping_id')
    .executeTakeFirstOrThrow()
  const { campagne_id } = await db
    .insertInto('campaign')
    .values({ client_id, name: 'C', expanded_at: new Date() })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  const sent = { client_id, campagne_id, state: 'sent' } as const
  await db
    .insertInto('delivery')
    .values([
      { ...sent, member_id: 1, email: 'm5@other.example', recorded_at: new Date() },
      { ...sent, member_id: 2, email: 'm6@gmail.test', recorded_at: '2020-01-01' },
    ])
    .execute()
  const count = await countSegment(db, audience.scope, {
    member_table_id: tableId,
    query: { combinator: 'and', rules: [{ field: 'age', operator: 'in', value: [5, 6] }] },
    capping_id: capping.capping_id,
  })
  expect(count).toMatchObject({ estimated_volume: 1, preblocked: { capping: 1 } })
  const own = await countSegment(db, audience.scope, {
    member_table_id: tableId,
    query: { combinator: 'and', rules: [{ field: 'age', operator: 'in', value: [5, 6] }] },
    capping_id: capping.capping_id,
    campaign_id: campagne_id,
  })
  expect(own).toMatchObject({ estimated_volume: 2, preblocked: {} })
})

test('an excluded segment of another datasource excludes the same addresses', async () => {
  const { database, actor, clientId, scope } = audience
  const other = await createTestDatasource(audience, [], 'Newsletter')
  await sql`insert into ${membersTable(other)} (client_id, email)
    values (${clientId}, 'M7@other.EXAMPLE'), (${clientId}, 'stranger@other.example')`.execute(database.db)
  const list = await listOperations.create(database.db, actor, clientId, {
    name: 'VIP',
    member_table_id: other,
  })
  const count = await countSegment(database.db, scope, {
    member_table_id: tableId,
    query: { combinator: 'and', rules: [{ field: 'age', operator: 'in', value: [7, 8] }] },
    excludes: [Number(list.list_id)],
  })
  expect(count).toMatchObject({ total: 2, excluded: 1, estimated_volume: 1 })
})

test('rules that do not fit the datasource are rejected', async () => {
  const { database, actor, clientId } = audience
  await expect(
    listOperations.create(database.db, actor, clientId, {
      name: 'Wrong',
      member_table_id: tableId,
      query: { combinator: 'and', rules: [{ field: 'shoe', operator: '=', value: 1 }] },
    }),
  ).rejects.toThrow('query.rules.0.field: unknown field "shoe"')
  const { foreign } = audience
  await expect(
    listOperations.create(database.db, foreign.actor, foreign.clientId, {
      name: 'Theirs',
      member_table_id: tableId,
    }),
  ).rejects.toThrow('member_table_id: does not exist')
})
