import { createHash } from 'node:crypto'
import { columnFilters } from '@emma/contract/column-filters.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { member } from '@emma/contract/resources/member.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { type Datasource, readDatasource } from '../datasources/datasource.ts'
import { eraseMember } from './erase-member.ts'
import { findMember, listMembers } from './list-members.ts'
import { memberActivity } from './member-activity.ts'
import { suppressedBy } from '../blacklists/suppression.ts'
import * as write from './write-member.ts'
import type { Fields } from '../../resource/operations.ts'
import { sql } from 'kysely'

let audience: TestAudience
let source: Datasource
beforeAll(async () => {
  audience = await createTestAudience()
  const id = await createTestDatasource(audience, [
    { column_name: 'firstname', data_type: 'string', length: 10 },
    { column_name: 'age', data_type: 'int' },
    { column_name: 'score', data_type: 'decimal' },
    { column_name: 'vip', data_type: 'bool' },
    { column_name: 'born', data_type: 'date' },
    { column_name: 'tier', data_type: 'enum', options: ['Gold', 'Silver'] },
  ])
  source = await readDatasource(audience.database.db, audience.scope, id)
})
afterAll(() => audience.database.drop())

function add(email: string, more: Record<string, unknown> = {}) {
  return write.createMember(audience.database.db, audience.actor, source, { email, ...more })
}

async function list(query: Record<string, unknown>): Promise<unknown[]> {
  const wanted = parseListQuery(member, { sortkey: 'email', ...query })
  const page = await listMembers(audience.database.db, source, wanted)
  return page.data.map(row => row.email)
}

test('values of a member are stored in the types of the columns', async () => {
  const made = await add(' Anna@Example.COM ', {
    firstname: 'Anna',
    age: '42',
    score: '1.234,5',
    vip: 'ja',
    born: '29.02.2024',
    tier: 'gold',
  })
  expect(made).toMatchObject({
    email: 'Anna@example.com',
    email_hash: createHash('sha256').update('anna@example.com').digest('hex'),
    active: true,
    age: 42,
    score: 1234.5,
    vip: true,
    born: '2024-02-29',
    tier: 'Gold',
    revision: 1,
  })
})

test('every invalid value is reported with its field', async () => {
  const wrong = {
    firstname: 'far too long a name',
    age: 'old',
    vip: 'perhaps',
    born: '31.02.2024',
    tier: 'Bronze',
    shoe: 1,
  }
  const refused = add('nobody', wrong)
  await expect(refused).rejects.toMatchObject({
    code: 'invalid',
    fields: [
      { field: 'email', message: 'The email address has no @.' },
      { field: 'firstname', message: 'is longer than 10 characters' },
      { field: 'age', message: 'is not a whole number' },
      { field: 'vip', message: 'is neither yes nor no' },
      { field: 'born', message: 'is not a date such as 2026-12-31 or 31.12.2026' },
      { field: 'tier', message: 'is none of Gold, Silver' },
      { field: 'shoe', message: 'is no column of this datasource' },
    ],
  })
  await expect(add('b@example.com', { firstname: 'a\r\nBcc: x' })).rejects.toThrow('control characters')
})

test('a patch changes the given fields and checks the revision', async () => {
  const { db } = audience.database
  const made = await add('patch@example.com', { firstname: 'Old', age: 1 })
  const id = Number(made.member_id)
  const after = await write.patchMember(db, audience.actor, source, id, { firstname: 'New' }, { revision: 1 })
  expect(after).toMatchObject({ firstname: 'New', age: 1, revision: 2 })
  await expect(
    write.patchMember(db, audience.actor, source, id, { age: null }, { revision: 1 }),
  ).rejects.toThrow('Faulty X-Revision')
  await write.patchMember(db, audience.actor, source, id, { age: null }, { revision: null })
  expect(await findMember(db, source, id)).toMatchObject({ age: null })
})

test('fields that follow from events cannot be written', async () => {
  const made = await add('readonly@example.com', { dateunjoin: '2020-01-01', softbounce_count: 9 })
  expect(made).toMatchObject({ dateunjoin: null, softbounce_count: 0 })
})

test('each filter restricts the list', async () => {
  await add('f1@filter.example', { firstname: 'Zoe' })
  const two = await add('f2@filter.example')
  await write.unsubscribeMember(audience.database.db, audience.actor, source, Number(two.member_id))
  await sql`update members.${sql.id(`t${source.member_table_id}`)} set complained_at = '2026-01-10',
    last_opened_at = '2026-02-10', hardbounced_at = '2026-03-10' where email = 'f1@filter.example'`.execute(
    audience.database.db,
  )
  const both = ['f1@filter.example', 'f2@filter.example']
  expect(await list({ email: 'filter.exam' })).toEqual(both)
  expect(await list({ email: 'F1@Filter.Example' })).toEqual(['f1@filter.example'])
  expect(await list({ email: 'filter', include_unsubscribed: 'false' })).toEqual(['f1@filter.example'])
  expect(await list({ email: 'filter', onlyactive: 'true' })).toEqual([])
  expect(await list({ search: 'zoe' })).toEqual(['f1@filter.example'])
  expect(await list({ abuseAfter: '2026-01-10', abuseBefore: '2026-01-11' })).toEqual(['f1@filter.example'])
  expect(await list({ abuseAfter: '2026-01-11' })).toEqual([])
  expect(await list({ openedAfter: '2026-02-01', openedBefore: '2026-03-01' })).toEqual(['f1@filter.example'])
  expect(await list({ hardbounceAfter: '2026-03-11' })).toEqual([])
  expect(await list({ hardbounceBefore: '2026-03-11' })).toEqual(['f1@filter.example'])
  expect(await list({ dateunjoinAfter: '2026-01-01' })).toEqual(['f2@filter.example'])
  expect(await list({ dateunjoinBefore: '2026-01-01' })).toEqual([])
  expect(await list({ email: 'filter', sortdesc: 'true', limit: '1' })).toEqual(['f2@filter.example'])
})

test('filterable columns of the datasource filter the list according to their types', async () => {
  const id = await createTestDatasource(
    audience,
    [
      { column_name: 'city', data_type: 'string' },
      { column_name: 'page', data_type: 'int' },
      { column_name: 'spent', data_type: 'decimal' },
      { column_name: 'vip', data_type: 'bool' },
      { column_name: 'tier', data_type: 'enum', options: ['gold', 'silver'] },
      { column_name: 'birthday', data_type: 'date' },
      { column_name: 'bought', data_type: 'datetime' },
      { column_name: 'notes', data_type: 'string', is_filterable: false },
    ],
    'By column',
  )
  const { db } = audience.database
  const own = await readDatasource(db, audience.scope, id)
  const people: [string, Fields][] = [
    [
      'ann@by.example',
      { city: 'Berlin', page: 1, spent: '9.50', vip: true, tier: 'gold', birthday: '1990-05-17' },
    ],
    ['bob@by.example', { city: 'Bern', page: 2, spent: '10', vip: false, tier: 'silver', notes: 'x' }],
    ['cid@by.example', { bought: '2026-03-10T23:30:00Z' }],
  ]
  for (const [email, fields] of people)
    await write.createMember(db, audience.actor, own, { email, ...fields })
  const found = async (query: Record<string, string | string[]>) => {
    const filters = { ...member.filters, ...columnFilters(own.columns) }
    const page = await listMembers(db, own, parseListQuery({ ...member, filters }, query))
    return page.data.map(row => String(row.email).slice(0, 3)).toSorted()
  }
  expect(await found({ 'column.city': 'ber' })).toEqual(['ann', 'bob'])
  expect(await found({ 'column.city[]': ['BERLIN', 'nowhere'] })).toEqual(['ann'])
  expect(await found({ 'column.city': '%' })).toEqual([])
  expect(await found({ 'column.page': '2' })).toEqual(['bob'])
  expect(await found({ 'column.spent[]': ['9,5', '11'] })).toEqual(['ann'])
  expect(await found({ 'column.vip': 'false' })).toEqual(['bob'])
  expect(await found({ 'column.tier[]': ['gold', 'silver'] })).toEqual(['ann', 'bob'])
  expect(await found({ 'column.birthday.after': '1990-05-17' })).toEqual(['ann'])
  expect(await found({ 'column.birthday.before': '1990-05-16' })).toEqual([])
  expect(await found({ 'column.bought.before': '2026-03-11', 'column.city': 'x' })).toEqual([])
  expect(await found({ 'column.bought.before': '2026-03-11' })).toEqual(['cid'])
  for (const [unknown, value] of [
    ['column.notes', 'x'],
    ['city', 'Berlin'],
    ['column.page', 'two'],
    ['column.bought', '2026-03-11'],
  ] as const)
    await expect(found({ [unknown]: value })).rejects.toMatchObject({ code: 'bad_request' })
})

test('unsubscribing and resubscribing are both logged', async () => {
  const { db } = audience.database
  const id = Number((await add('back@example.com')).member_id)
  const gone = await write.unsubscribeMember(db, audience.actor, source, id)
  expect(gone).toMatchObject({ active: false })
  expect(await write.unsubscribeMember(db, audience.actor, source, id)).toMatchObject({
    dateunjoin: gone.dateunjoin,
  })
  const back = await write.resubscribeMember(db, audience.actor, source, id, 'asked by phone')
  expect(back).toMatchObject({ active: true, dateunjoin: null })
  const activity = await memberActivity(db, source, id, { limit: 10, offset: 0 })
  expect(activity.data.map(row => row.type)).toEqual(['join', 'unsubscribe', 'join'])
  expect(activity.data[0]).toMatchObject({ details: { reason: 'asked by phone' } })
  expect(activity.total).toBe(3)
})

test('activity merges ledger and events in pages', async () => {
  const { db } = audience.database
  const client_id = audience.clientId
  const id = Number((await add('active@example.com')).member_id)
  const { campagne_id } = await db
    .insertInto('campaign')
    .values({ client_id, name: 'Spring' })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('delivery')
    .values({ client_id, campagne_id, member_id: id, email: 'x', state: 'sent', recorded_at: '2030-01-01' })
    .execute()
  await db
    .insertInto('event')
    .values({ client_id, campagne_id, member_id: id, type: 'open', ts: '2030-01-02', verdict: 'human' })
    .execute()
  const page = await memberActivity(db, source, id, { limit: 2, offset: 0 })
  expect(page.data.map(row => [row.type, row.campaign_name])).toEqual([
    ['open', 'Spring'],
    ['sent', 'Spring'],
  ])
  expect(page.total).toBe(3)
})

test('a click in the activity has the link that was sent, not the current one with its number', async () => {
  const { db } = audience.database
  const client_id = audience.clientId
  const id = Number((await add('clicker@example.com')).member_id)
  const { message_id } = await db
    .insertInto('message')
    .values({ client_id, name: 'Sale' })
    .returning('message_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('message_link')
    .values({ client_id, message_id, link_index: 0, name: 'New', url: 'https://shop.example/new' })
    .execute()
  const links = [{ index: 0, name: 'Sale', url: 'https://shop.example/sale', is_active: true }]
  const campaigns = await db
    .insertInto('campaign')
    .values([
      { client_id, message_id, name: 'Kept', snapshot: JSON.stringify({ links }) },
      { client_id, message_id, name: 'Not kept', snapshot: null },
    ])
    .returning('campagne_id')
    .execute()
  await db
    .insertInto('event')
    .values(
      campaigns.map(({ campagne_id }, n) => ({
        client_id,
        campagne_id,
        member_id: id,
        type: 'click' as const,
        ts: `2030-01-0${n + 1}`,
        verdict: 'human' as const,
        link_index: 0,
      })),
    )
    .execute()
  const { data } = await memberActivity(db, source, id, { limit: 2, offset: 0 })
  expect(data.map(row => [row.campaign_name, row.url])).toEqual([
    ['Not kept', 'https://shop.example/new'],
    ['Kept', 'https://shop.example/sale'],
  ])
})

test('an erased person is anonymised and suppressed', async () => {
  const { db } = audience.database
  const id = Number((await add('Erase@example.com')).member_id)
  await eraseMember(db, audience.actor, source, id)
  await expect(findMember(db, source, id)).rejects.toThrow('Not found')
  const events = await db.selectFrom('event').select(['email', 'ip']).where('member_id', '=', id).execute()
  expect(events.length).toBeGreaterThan(0)
  expect(events.every(event => event.email === null)).toBe(true)
  const reason = await suppressedBy(db, audience.clientId, [], sql`'erase@EXAMPLE.com'::text`)
  expect((await sql<{ reason: string }>`select ${reason} as reason`.execute(db)).rows[0]?.reason).toBe(
    'blacklist_client',
  )
})

test('another client has no access to a member', async () => {
  const { db } = audience.database
  await expect(readDatasource(db, audience.foreign.scope, source.member_table_id)).rejects.toThrow(
    'There is no such datasource',
  )
})
