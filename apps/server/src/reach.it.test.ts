import { createHash } from 'node:crypto'
import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { readSegment, segmentMembers } from '@emma/core/audience/segments/segment-members.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '@emma/delivery/test/engine.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The count before the start (core) must match the expansion (delivery). */

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  const emails = [...ids(12).map(n => `p${n}@one.test`), ...ids(4).map(n => `q${n}@two.test`), 'r@gmx.test']
  tenant = await createTestTenant(database.db, emails)
})
afterAll(() => database.drop())

test('R178 the audience size before the start matches the expansion: caps, contact frequency, providers', async () => {
  const { db, clientId: client_id } = tenant
  await db
    .insertInto('provider')
    .values([
      { name: 'First', domains: ['One.test'] },
      { name: 'Second', domains: ['one.test'] },
    ])
    .execute()
  const first = await db
    .selectFrom('provider')
    .select('provider_id')
    .where('name', '=', 'First')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('receiving_domain')
    .values({ domain: 'two.test', ...first })
    .execute()
  const { capping_id } = await db
    .insertInto('capping')
    .values({ client_id, name: 'Two a day', max_mails: 2, period_hours: 24 })
    .returning('capping_id')
    .executeTakeFirstOrThrow()
  const wish = { client_id, period_hours: 24 * 7 }
  await db
    .insertInto('contact_frequency')
    .values([
      { ...wish, address: 'p8@one.test' },
      { ...wish, address: 'p9@one.test' },
      { ...wish, address: 'p10@one.test' },
    ])
    .execute()
  const running = await addExpanded({ valid: 2 })
  const ended = await addExpanded({ valid: 3 })
  const transactional = await addExpanded({ valid: 2, ctype: 3 })
  await sql`update campaign set finished_at = now() - interval '3 days' where campagne_id = ${ended}`.execute(
    db,
  )
  await addMails(running, 'pending', [1, 2, 3, 4, 5])
  await addMails(running, 'sent', [6, 7])
  const second = await addExpanded({ valid: 2 })
  await addMails(second, 'deferred', [1])
  await addMails(second, 'unknown', [2])
  await addMails(second, 'sent', [3, 6])
  await addMails(second, 'skipped', [4])
  await addMails(transactional, 'sent', [5, 9])
  await addMails(ended, 'sent', [7, 8])
  await sql`
    update delivery set recorded_at = now() - interval '4 days' where campagne_id = ${ended}`.execute(db)
  await addMails(running, 'claimed', [10])

  const shown = await countSegment(
    db,
    { clientIds: [client_id] },
    { member_table_id: tenant.memberTableId, query: null, include_unsubscribed: true, capping_id },
  )
  const campaign = await addCampaign(tenant, { capping_id })
  const made = await expandCampaign(db, campaign, testExpansion)
  // Capped by the rule: 1, 2, 3 and 6; by their own frequency setting: 8 and 10.
  expect(shown).toMatchObject({ total: 17, preblocked: { capping: 6 } })
  expect({ volume: shown.estimated_volume, skipped: shown.preblocked['capping'] }).toEqual(made)
  const { rows } = await sql<{ provider_id: number; count: number }>`
    select provider_id, count(*) as count from delivery
    where campagne_id = ${campaign.campaignId} and state = 'pending' group by 1 order by 2 desc, 1`.execute(
    db,
  )
  expect(shown.by_provider.map(({ provider_id, count }) => ({ provider_id, count }))).toEqual(rows)
  expect(shown.by_provider).toMatchObject([
    { name: 'First', count: 10 },
    { name: 'GMX', count: 1 },
  ])
})

test('R178 R273 the skipped members before the start match the expansion, with the same reasons', async () => {
  const { db } = database
  const lost = [
    'no-at',
    'two@@one.test',
    'dot.@one.test',
    'a b@one.test',
    'a@no-tld',
    'a@-hyphen.test',
    `a@${'x'.repeat(64)}.test`,
    `${'y'.repeat(65)}@one.test`,
  ]
  const found = [
    'gone',
    'hard',
    'complained',
    'waiting',
    'excluded',
    'listed',
    'digest',
    'attached',
    'internal',
  ]
  const own = await createTestTenant(db, [
    ...lost,
    'gone@no-tld',
    'listed@@two.test',
    'excluded@no-tld',
    ...found.map(name => `${name}@two.test`),
    'Fine@two.test',
    'excepted@two.test',
    'seed@two.test',
    'jane@gmx.test',
  ])
  const { clientId: client_id, memberTableId } = own
  await sql`update ${sql.id('members', `t${memberTableId}`)} set
    dateunjoin = case when email like 'gone@%' then now() end,
    hardbounced_at = case when email like 'hard@%' then now() end,
    complained_at = case when email like 'complained@%' then now() end,
    doi_state = case when email like 'waiting@%' then 'pending' else 'none' end`.execute(db)
  await addBlacklist(own, 'client', 'email', ['listed@two.test', 'listed@@two.test'])
  await addBlacklist(own, 'client', 'md5', [digestOf('digest@two.test')])
  const attached = await addBlacklist(own, 'campaign', 'email', ['attached@two.test', 'listed@two.test'])
  await addBlacklist(own, 'campaign', 'email', ['fine@two.test'])
  await db
    .insertInto('internal_blacklist_entry')
    .values([{ value: 'internal@two.test' }, { value: 'excepted@two.test' }])
    .execute()
  await db
    .insertInto('internal_blacklist_exclude')
    .values({ value: 'excepted@two.test', client_id })
    .execute()
  await db
    .insertInto('test_address')
    .values(
      ['SEED@two.test', 'only-a-seed@two.test'].map(email => ({
        client_id,
        email,
        addr_type: 'global_seed',
      })),
    )
    .execute()
  await db
    .insertInto('member_table_column')
    .values({
      client_id,
      member_table_id: memberTableId,
      column_name: 'email',
      label: 'Email',
      data_type: 'email',
    })
    .execute()
  const { list_id } = await db
    .insertInto('list')
    .values({
      client_id,
      name: 'Excluded',
      member_table_id: memberTableId,
      query: JSON.stringify({
        combinator: 'and',
        rules: [{ field: 'email', operator: 'beginsWith', value: 'excluded' }],
      }),
    })
    .returning('list_id')
    .executeTakeFirstOrThrow()

  const shown = await countSegment(
    db,
    { clientIds: [client_id] },
    { list_id: own.listId, excludes: [list_id], blacklist_ids: [attached] },
  )
  const campaign = await addCampaign(own, { exclude_list_ids: [list_id], blacklist_ids: [attached] })
  const made = await expandCampaign(db, campaign, {
    ...testExpansion,
    async segmentOf(tx, { clientId, listId }) {
      const scope = { clientIds: [clientId] }
      const segment = await readSegment(tx, scope, listId)
      const members = await segmentMembers(tx, scope, { ...segment, include_unsubscribed: true })
      return { memberTableId: segment.member_table_id, members }
    },
  })
  const { rows } = await sql<{ skip_reason: string; count: number }>`
    select skip_reason, count(*) as count from delivery
    where client_id = ${client_id} and campagne_id = ${campaign.campaignId} and member_id > 0 and state = 'skipped'
    group by 1`.execute(db)
  expect(shown.preblocked).toEqual({
    unsubscribed: 2,
    hardbounce: 1,
    complaint: 1,
    doi_missing: 1,
    invalid_address: 6,
    invalid_domain: 3,
    blacklist_internal: 1,
    blacklist_client: 2,
    blacklist_campaign: 1,
  })
  expect(shown.preblocked).toEqual(
    Object.fromEntries(rows.map(({ skip_reason, count }) => [skip_reason, count])),
  )
  expect(shown).toMatchObject({ total: 24, excluded: 2, estimated_volume: 4 })
  expect(made).toEqual({ volume: 4, skipped: 18 })
})

async function addBlacklist(
  { clientId: client_id }: TestTenant,
  kind: string,
  match: string,
  values: string[],
): Promise<number> {
  const { blacklist_id } = await database.db
    .insertInto('blacklist')
    .values({ client_id, name: `${kind} ${match} ${values[0]}`, kind, match })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('blacklist_entry')
    .values(values.map(value => ({ client_id, blacklist_id, value })))
    .execute()
  return blacklist_id
}

function digestOf(address: string): string {
  return createHash('md5').update(address).digest('hex')
}

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n + 1)
}

async function addExpanded(fields: { valid: number; ctype?: number }): Promise<number> {
  const { campaignId } = await addCampaign(tenant, fields)
  await sql`update campaign set expanded_at = now() where campagne_id = ${campaignId}`.execute(tenant.db)
  return campaignId
}

async function addMails(campaignId: number, state: string, memberIds: number[]): Promise<void> {
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
    select client_id, ${campaignId}, member_id, email, ${state}::delivery_state, now() - interval '1 hour'
    from ${sql.id('members', `t${tenant.memberTableId}`)} where member_id = any(${memberIds}::bigint[])`.execute(
    tenant.db,
  )
}
