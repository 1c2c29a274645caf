import { expect, it } from 'vitest'
import { findTenantJoinFaults } from './tenant-joins.ts'

const tables = new Map([
  ['campaign', new Set(['client_id', 'campagne_id', 'name', 'message_id'])],
  ['delivery', new Set(['client_id', 'campagne_id', 'member_id', 'state'])],
  ['event', new Set(['client_id', 'campagne_id', 'member_id', 'type'])],
])

it.each([
  ['an equality', 'select from delivery d join campaign c on c.campagne_id = d.campagne_id'],
  ['USING', 'select from delivery join campaign using (campagne_id)'],
  [
    'a condition of WHERE',
    'select from delivery d, campaign c where c.campagne_id = d.campagne_id and d.client_id = $1',
  ],
  [
    'a correlated subquery',
    'select (select count(*) from event e where e.campagne_id = c.campagne_id) from campaign c',
  ],
  [
    'EXISTS',
    'select from campaign c where exists (select from delivery d where d.campagne_id = c.campagne_id)',
  ],
  ['IN', 'select from campaign c where c.campagne_id in (select d.campagne_id from delivery d)'],
  [
    'UPDATE with FROM',
    'update delivery d set state = $1 from campaign c where c.campagne_id = d.campagne_id',
  ],
  ['DELETE with USING', 'delete from delivery d using campaign c where c.campagne_id = d.campagne_id'],
  [
    'a subquery of FROM',
    'select from campaign c join (select campagne_id, count(*) from event group by 1) e on e.campagne_id = c.campagne_id',
  ],
  [
    'a CTE',
    'with e as (select campagne_id from event) select from campaign c join e on e.campagne_id = c.campagne_id',
  ],
  [
    'a table of members',
    'select from members.t1 m join delivery d on d.member_id = m.member_id and d.client_id = $1',
  ],
  [
    'the same list of clients',
    'select from delivery d join campaign c using (campagne_id) where d.client_id = any($1) and c.client_id = any($1)',
  ],
  [
    'an equality that need not hold',
    'select from delivery d join campaign c on c.campagne_id = d.campagne_id and (c.client_id = d.client_id or $1)',
  ],
  ['columns without their table', 'select from delivery d join campaign c on message_id = member_id'],
])('refuses a join by %s without client_id', async (_, text) => {
  expect(await findTenantJoinFaults(text, tables)).toHaveLength(1)
})

it.each([
  [
    'an equality',
    'select from delivery d join campaign c on c.campagne_id = d.campagne_id and c.client_id = d.client_id',
  ],
  [
    'USING',
    'select from delivery join campaign using (client_id, campagne_id) join event using (client_id, member_id)',
  ],
  [
    'a value for both',
    'select from delivery d, campaign c where c.campagne_id = d.campagne_id and d.client_id = $1 and c.client_id = $2',
  ],
  [
    'the client of another table',
    'select from client join campaign c using (client_id) join delivery d on d.client_id = client.client_id and d.campagne_id = c.campagne_id',
  ],
  [
    'a correlated subquery',
    'select (select count(*) from event e where e.client_id = c.client_id and e.campagne_id = c.campagne_id) from campaign c',
  ],
  [
    'rows',
    'select from campaign c where (c.client_id, c.campagne_id) in (select d.client_id, d.campagne_id from delivery d)',
  ],
  [
    'a CTE',
    'with e as (select client_id, campagne_id from event) update campaign c set name = $1 from e where e.client_id = c.client_id and e.campagne_id = c.campagne_id',
  ],
  ['no other table of tenants', 'select from campaign c join provider p on p.provider_id = c.message_id'],
  ['a text that is no SQL', 'select from where'],
])('accepts a join by %s', async (_, text) => {
  expect(await findTenantJoinFaults(text, tables)).toEqual([])
})
