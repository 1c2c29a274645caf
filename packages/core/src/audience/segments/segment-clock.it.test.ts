import type { Rule, RuleGroup } from '@emma/contract/rules.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { fromSegment, segmentMembers } from './segment-members.ts'

let audience: TestAudience
let source: Datasource

beforeAll(async () => {
  audience = await createTestAudience()
  const id = await createTestDatasource(audience, [
    { column_name: 'born', data_type: 'date' },
    { column_name: 'seen', data_type: 'datetime' },
  ])
  source = await readDatasource(audience.database.db, audience.scope, id)
})
afterAll(() => audience.database.drop())

interface Row {
  name: string
  born?: string
  seen?: string
}

async function setMembers(timezone: string, rows: Row[]): Promise<void> {
  const { db } = audience.database
  await db.updateTable('client').set({ timezone }).where('client_id', '=', audience.clientId).execute()
  await sql`delete from ${membersTable(source.member_table_id)}`.execute(db)
  for (const { name, born = null, seen = null } of rows)
    await sql`
      insert into ${membersTable(source.member_table_id)} (client_id, email, born, seen)
      values (${audience.clientId}, ${`${name}@example.com`}, ${born}, ${seen})`.execute(db)
  source = await readDatasource(db, audience.scope, source.member_table_id)
}

/** Names of the members that one rule selects at a given time. */
async function selected(rule: Rule | RuleGroup, at: string | null): Promise<string[]> {
  const query: RuleGroup = 'rules' in rule ? rule : { combinator: 'and', rules: [rule] }
  const from = fromSegment(source, { query, include_unsubscribed: false }, at === null ? null : new Date(at))
  const { rows } = await sql<{ email: string }>`select m.email ${from} order by 1`.execute(
    audience.database.db,
  )
  return rows.map(row => row.email.split('@')[0] ?? '')
}

const birthday: Rule = { field: 'born', operator: 'anniversary', value: 0 }

test.for([
  // 9:00 on 4 May in Auckland is 21:00 on 3 May in UTC.
  { timezone: 'Pacific/Auckland', at: '2026-05-03T21:00:00Z' },
  // 17:30 on 4 May in Los Angeles is already 5 May in UTC.
  { timezone: 'America/Los_Angeles', at: '2026-05-05T00:30:00Z' },
  { timezone: 'UTC', at: '2026-05-04T00:00:00Z' },
])("birthday rules use the day of the client's time zone: $timezone", async ({ timezone, at }) => {
  await setMembers(timezone, [
    { name: 'third', born: '1990-05-03' },
    { name: 'fourth', born: '1990-05-04' },
    { name: 'fifth', born: '1990-05-05' },
  ])
  expect(await selected(birthday, at)).toEqual(['fourth'])
  expect(await selected({ ...birthday, value: 1 }, at)).toEqual(['fifth'])
})

test("date rules of the last and next days use the client's day", async () => {
  await setMembers('Pacific/Auckland', [
    { name: 'yesterday', born: '2026-05-03' },
    { name: 'today', born: '2026-05-04' },
    { name: 'tomorrow', born: '2026-05-05' },
  ])
  const at = '2026-05-03T21:00:00Z'
  expect(await selected({ field: 'born', operator: 'inLast', value: 0 }, at)).toEqual(['today'])
  expect(await selected({ field: 'born', operator: 'inLast', value: 1 }, at)).toEqual(['today', 'yesterday'])
  expect(await selected({ field: 'born', operator: 'inNext', value: 1 }, at)).toEqual(['today', 'tomorrow'])
})

test('29 February counts as the 28th in other years, at the given time', async () => {
  await setMembers('Europe/Berlin', [{ name: 'leap', born: '2000-02-29' }])
  expect(await selected(birthday, '2027-02-27T23:30:00Z')).toEqual(['leap'])
  expect(await selected(birthday, '2027-02-28T23:30:00Z')).toEqual([])
  expect(await selected(birthday, '2028-02-28T22:30:00Z')).toEqual([])
  expect(await selected(birthday, '2028-02-28T23:30:00Z')).toEqual(['leap'])
})

test("a date compared with a time is the whole day in the client's time zone, also with 23 or 25 hours", async () => {
  await setMembers('Europe/Berlin', [
    { name: 'before', seen: '2026-10-24T21:59:59Z' },
    { name: 'first', seen: '2026-10-24T22:00:00Z' },
    { name: 'last', seen: '2026-10-25T22:59:59Z' },
    { name: 'next', seen: '2026-10-25T23:00:00Z' },
  ])
  const rule = (operator: Rule['operator'], value: Rule['value']): Rule => ({
    field: 'seen',
    operator,
    value,
  })
  expect(await selected(rule('=', '2026-10-25'), null)).toEqual(['first', 'last'])
  expect(await selected(rule('<', '2026-10-25'), null)).toEqual(['before'])
  expect(await selected(rule('<=', '2026-10-25'), null)).toEqual(['before', 'first', 'last'])
  expect(await selected(rule('>', '2026-10-25'), null)).toEqual(['next'])
  expect(await selected(rule('>=', '2026-10-25'), null)).toEqual(['first', 'last', 'next'])
  expect(await selected(rule('between', ['2026-10-25', '2026-10-24']), null)).toEqual([
    'before',
    'first',
    'last',
  ])
})

test("a time without an offset is in the client's time zone, also beside one with an offset", async () => {
  await setMembers('Europe/Berlin', [
    { name: 'early', seen: '2026-11-01T08:30:00Z' },
    { name: 'late', seen: '2026-11-01T09:30:00Z' },
  ])
  const rule = (operator: Rule['operator'], value: Rule['value']): Rule => ({
    field: 'seen',
    operator,
    value,
  })
  expect(await selected(rule('<', '2026-11-01T10:00'), null)).toEqual(['early'])
  expect(await selected(rule('<', '2026-11-01T10:00:00Z'), null)).toEqual(['early', 'late'])
  const reversed = ['2026-11-01T10:00:00Z', '2026-11-01T10:00']
  expect(await selected(rule('between', reversed), null)).toEqual(['late'])
})

test('the members of a segment are selected at the given time', async () => {
  await setMembers('Europe/Berlin', [
    { name: 'tomorrow', born: '1990-11-23' },
    { name: 'today', born: '1990-11-22' },
  ])
  const segment = {
    ...source,
    query: { combinator: 'and' as const, rules: [birthday] },
    include_unsubscribed: false,
  }
  const at = new Date('2026-11-22T23:41:00Z')
  const members = await segmentMembers(audience.database.db, audience.scope, segment, { at })
  const { rows } = await sql<{ email: string }>`select email from (${members}) s`.execute(
    audience.database.db,
  )
  expect(rows).toEqual([{ email: 'tomorrow@example.com' }])
})

test('xor selects members for whom exactly one rule is true', async () => {
  await setMembers('UTC', [{ name: 'ann', born: '1990-11-23' }])
  const rule: Rule = { field: 'born', operator: 'notNull' }
  const never: Rule = { field: 'born', operator: 'null' }
  expect(await selected({ combinator: 'xor', rules: [rule, rule, rule] }, null)).toEqual([])
  expect(await selected({ combinator: 'xor', rules: [never, rule, never] }, null)).toEqual(['ann'])
})
