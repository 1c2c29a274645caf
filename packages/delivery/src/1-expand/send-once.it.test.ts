import { campaignState } from '@emma/contract/campaign-states.ts'
import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { transaction } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CampaignKey } from '../model/campaign-key.ts'
import { countLedger, testExpansion } from '../test/engine.ts'
import { expandCampaign } from './expand-campaign.ts'

/** Members of a datasource get one campaign with the same key at most. */

let database: TestDatabase
let tenant: TestTenant

const MEMBERS = 8
const ALL = { volume: MEMBERS, skipped: 0 }
const NONE = { volume: 0, skipped: MEMBERS }
const key = { send_once_key: 'welcome-gift' }

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `person.${n + 1}@gmx.test`),
  )
})
afterEach(() => database.drop())

const expand = (campaign: CampaignKey) => expandCampaign(database.db, campaign, testExpansion)

/** A campaign with the key whose ledger is written. */
async function addExpanded(fields: Parameters<typeof addCampaign>[1] = key): Promise<CampaignKey> {
  const campaign = await addCampaign(tenant, fields)
  await expand(campaign)
  return campaign
}

async function setDeliveries({ campaignId }: CampaignKey, state: string): Promise<void> {
  await sql`update delivery set state = ${state}::delivery_state where campagne_id = ${campaignId}`.execute(
    database.db,
  )
}

it.each(['sent', 'unknown', 'claimed', 'pending', 'deferred'])(
  'skips members whose mail of another campaign with the key is %s',
  async state => {
    await setDeliveries(await addExpanded(), state)
    const again = await addCampaign(tenant, key)
    expect(await expand(again)).toEqual(NONE)
    expect(await countLedger(database.db, again.campaignId)).toEqual({ send_once: MEMBERS })
  },
)

it.each(['rejected', 'cancelled', 'skipped'])(
  'sends to members whose mail of another campaign with the key was %s',
  async state => {
    await setDeliveries(await addExpanded(), state)
    expect(await expand(await addCampaign(tenant, key))).toEqual(ALL)
  },
)

it.each([
  ['failed', { valid: campaignState.failed }],
  ['stopped', { valid: campaignState.stopped }],
  ['deleted', { valid: campaignState.paused, deleted_at: '2026-11-01' }],
])('does not count what a campaign that was %s never sent, but what it sent', async (_, fields) => {
  const first = await addExpanded()
  await database.db.updateTable('campaign').set(fields).where('campagne_id', '=', first.campaignId).execute()
  await sql`update delivery set state = 'sent' where campagne_id = ${first.campaignId} and member_id <= 3`.execute(
    database.db,
  )
  expect(await expand(await addCampaign(tenant, key))).toEqual({ volume: 5, skipped: 3 })
})

it('concerns neither other keys, nor other clients and datasources, nor campaigns without a key', async () => {
  await addExpanded()
  expect(await expand(await addCampaign(tenant))).toEqual(ALL)
  expect(await expand(await addCampaign(tenant, { send_once_key: 'welcome-gift-2' }))).toEqual(ALL)
  const other = await createTestTenant(database.db, ['person.1@gmx.test'])
  expect(await expand(await addCampaign(other, key))).toEqual({ volume: 1, skipped: 0 })
  expect(await expand(await addCampaign(tenant, { ...key, list_id: await otherDatasource() }))).toEqual({
    volume: 1,
    skipped: 0,
  })
})

it('leaves out seeds and proof copies, which get every campaign', async () => {
  const seed = { client_id: tenant.clientId, email: 'seed@web.test', addr_type: 'global_seed' }
  await database.db.insertInto('test_address').values(seed).execute()
  await addExpanded()
  const { campaignId } = await addExpanded()
  const { rows } = await sql`
    select state, skip_reason from delivery where campagne_id = ${campaignId} and member_id < 0`.execute(
    database.db,
  )
  expect(rows).toEqual([{ state: 'pending', skip_reason: null }])
})

it('comes after the reasons of the member and before the frequency cap', async () => {
  const { capping_id } = await database.db
    .insertInto('capping')
    .values({
      client_id: tenant.clientId,
      name: 'Once a day',
      max_mails: 1,
      period_hours: 24,
      scope: 'client',
    })
    .returning('capping_id')
    .executeTakeFirstOrThrow()
  await addExpanded()
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = now() where member_id = 1`.execute(
    database.db,
  )
  const { campaignId } = await addExpanded({ ...key, capping_id })
  expect(await countLedger(database.db, campaignId)).toEqual({ unsubscribed: 1, send_once: MEMBERS - 1 })
})

it('is counted before the start as the expansion does', async () => {
  const first = await addExpanded()
  await sql`update delivery set state = 'rejected' where member_id <= 2`.execute(database.db)
  const count = (more: { send_once_key?: string; campaign_id?: number }) =>
    countSegment(database.db, { clientIds: [tenant.clientId] }, { list_id: tenant.listId, ...more })
  expect(await count({})).toMatchObject({ estimated_volume: MEMBERS, preblocked: {} })
  expect(await count(key)).toMatchObject({
    estimated_volume: 2,
    preblocked: { send_once: MEMBERS - 2 },
  })
  expect(await count({ ...key, campaign_id: first.campaignId })).toMatchObject({
    estimated_volume: MEMBERS,
  })
  expect(await expand(await addCampaign(tenant, key))).toEqual({ volume: 2, skipped: MEMBERS - 2 })
})

it('sends to each member once when engines expand several campaigns at the same moment', async () => {
  const campaigns = await Promise.all(Array.from({ length: 4 }, () => addCampaign(tenant, key)))
  // Two engines each try every campaign until none is left.
  const engine = async () => {
    for (const campaign of campaigns) {
      while (await isPreparing(campaign)) await expand(campaign)
    }
  }
  await Promise.all([engine(), engine(), engine()])
  const { rows } = await sql`
    select member_id, count(*) filter (where state = 'pending') as sent, count(*) as campaigns
    from delivery group by 1 order by 1`.execute(database.db)
  expect(rows).toEqual(
    Array.from({ length: MEMBERS }, (_, n) => ({ member_id: n + 1, sent: 1, campaigns: 4 })),
  )
})

it('counts nothing of an expansion that was killed after it wrote the ledger, and the next one is whole', async () => {
  const { db } = database
  const [killed, next] = [await addCampaign(tenant, key), await addCampaign(tenant, key)]
  const blocked = await transaction(db, async tx => {
    // Stops the expansion between its ledger and its commit.
    await sql`select from campaign where campagne_id = ${killed.campaignId} for no key update`.execute(tx)
    const outcome = expand(killed).then(
      () => 'expanded',
      () => 'killed',
    )
    await expect.poll(waitingForLock).toHaveLength(1)
    expect(await expand(next)).toBeNull()
    await sql`select pg_terminate_backend(pid) from unnest(${await waitingForLock()}::int[]) as pid`.execute(
      db,
    )
    return outcome
  })
  expect(blocked).toBe('killed')
  expect(await expand(next)).toEqual(ALL)
  expect(await expand(killed)).toEqual(NONE)
})

/** Process ids of the connections to this database that wait for a row. */
async function waitingForLock(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    database.db,
  )
  return rows.map(({ pid }) => pid)
}

/** A segment of another datasource, with one member of the same id. */
async function otherDatasource(): Promise<number> {
  const { db } = database
  const own = { client_id: tenant.clientId, name: 'Newsletter' }
  const { member_table_id } = await db
    .insertInto('member_table')
    .values(own)
    .returning('member_table_id')
    .executeTakeFirstOrThrow()
  await sql`select create_member_table(${member_table_id})`.execute(db)
  await sql`insert into ${sql.id('members', `t${member_table_id}`)} (client_id, member_id, email)
    overriding system value values (${tenant.clientId}, 1, 'person.1@gmx.test')`.execute(db)
  const { list_id } = await db
    .insertInto('list')
    .values({ ...own, member_table_id })
    .returning('list_id')
    .executeTakeFirstOrThrow()
  return list_id
}

async function isPreparing({ campaignId }: CampaignKey): Promise<boolean> {
  const { valid } = await database.db
    .selectFrom('campaign')
    .select('valid')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return valid === campaignState.preparing
}
