import type { Patch } from '@emma/contract/resource-schemas.ts'
import type { campaign as resource } from '@emma/contract/resources/campaign.ts'
import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listOperations } from '../audience/segments/list-operations.ts'
import { membertableOperations } from '../audience/operations.ts'
import type { Campaign } from './campaign-operations.ts'
import { campaignOperations } from './campaign-operations.ts'
import { cancelOpen } from './cancel-open.ts'
import { checkCampaign } from './check-campaign.ts'
import { moveCampaign } from './move-campaign.ts'
import {
  addTestCampaign,
  addTestTenant,
  testContext,
  type TestTenant,
  testMessages,
} from '../test/campaign.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  tenant = await addTestTenant(database.db)
})
afterEach(() => database.db.updateTable('client').set({ is_active: true }).execute())

const start = ({ campagne_id }: Campaign) =>
  moveCampaign(tenant.db, tenant.actor, tenant.scope, Number(campagne_id), 'start', {}, testContext)

test('campaigns of an inactive client do not start or resume', async () => {
  const { draft, paused, held } = campaignState
  const campaigns = [
    await addTestCampaign(tenant, draft),
    await addTestCampaign(tenant, paused),
    await addExpanded(held),
  ]
  await database.db.updateTable('client').set({ is_active: false }).execute()
  for (const campaign of campaigns)
    await expect(start(campaign)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'client_id', message: 'The client is switched off and sends nothing.' }],
    })
})

test('a held campaign with a ledger resumes where it stopped, even if its segment is empty now', async () => {
  const campaign = await addExpanded(campaignState.held)
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = now()`.execute(
    database.db,
  )
  expect(await start(campaign)).toMatchObject({
    valid: campaignState.running,
    startdate: campaign.startdate,
  })
})

test.each([
  {
    what: 'changed',
    write: (id: number) =>
      campaignOperations.patch(
        tenant.db,
        tenant.actor,
        tenant.scope,
        id,
        { name: 'Changed' },
        { revision: null },
      ),
  },
  {
    what: 'deleted',
    write: (id: number) =>
      campaignOperations.remove(tenant.db, tenant.actor, tenant.scope, id, { revision: null }),
  },
])('a campaign that is just starting cannot be $what', async ({ write }) => {
  const campaign = await addTestCampaign(tenant, campaignState.scheduled)
  const id = Number(campaign.campagne_id)
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('update campaign set valid = 4 where campagne_id = $1', [id])
    const refusal = write(id).then(
      () => 'written',
      (error: unknown) => error,
    )
    await waitsForLock()
    await client.query('commit')
    expect(await refusal).toMatchObject({ code: 'wrong_state' })
  } finally {
    client.release()
  }
  const row = await database.db
    .selectFrom('campaign')
    .select(['name', 'deleted_at'])
    .where('campagne_id', '=', id)
    .executeTakeFirst()
  expect(row).toEqual({ name: campaign.name, deleted_at: null })
})

test.each([campaignState.paused, campaignState.held])(
  'deleting a campaign in state %i cancels its unsent deliveries and ends it',
  async valid => {
    const campaign = await addExpanded(valid)
    const id = Number(campaign.campagne_id)
    await addRows(id)
    await campaignOperations.remove(tenant.db, tenant.actor, tenant.scope, id, { revision: null })
    await cancelOpen(tenant.db)
    expect(await stateOf(id)).toEqual({ states: ['cancelled', 'cancelled', 'sent'], finished: true })
  },
)

test('archiving a failed campaign cancels its unsent deliveries and ends it', async () => {
  const campaign = await addExpanded(campaignState.failed)
  const id = Number(campaign.campagne_id)
  await addRows(id)
  await moveCampaign(tenant.db, tenant.actor, tenant.scope, id, 'archive', {}, testContext)
  await cancelOpen(tenant.db)
  expect(await stateOf(id)).toEqual({ states: ['cancelled', 'cancelled', 'sent'], finished: true })
})

test('the check of a campaign with a ledger covers only its sending route', async () => {
  const campaign = await addExpanded(campaignState.held)
  await addRows(Number(campaign.campagne_id))
  await sql`update ${sql.id('members', `t${tenant.memberTableId}`)} set dateunjoin = now()`.execute(
    database.db,
  )
  expect(await checkCampaign(database.db, campaign, testContext)).toEqual({
    errors: [],
    warnings: [],
    recipients: 2,
  })
})

test.each([
  ['a past time', new Date(Date.now() - 60_000).toISOString()],
  ['no time', null],
])('a scheduled campaign cannot be rescheduled to %s', async (_, startdate) => {
  const campaign = await addTestCampaign(tenant, campaignState.scheduled, {
    startdate: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const id = Number(campaign.campagne_id)
  const patch = (fields: Patch<typeof resource>) =>
    campaignOperations.patch(tenant.db, tenant.actor, tenant.scope, id, fields, { revision: null })
  await expect(patch({ startdate })).rejects.toMatchObject({
    code: 'invalid',
    fields: [{ field: 'startdate', message: 'must be in the future' }],
  })
  expect(await patch({ startdate: campaign.startdate, name: 'Other' })).toMatchObject({ name: 'Other' })
})

test('the check warns about a start time in the past', async () => {
  const campaign = await addTestCampaign(tenant, campaignState.draft, { startdate: '2026-01-01T09:00:00Z' })
  const { errors, warnings } = await checkCampaign(database.db, campaign, testContext)
  expect(errors).toEqual([])
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'start_passed', field: 'startdate' }))
})

test("the check knows only the columns of the campaign's datasource", async () => {
  const other = await membertableOperations.create(tenant.db, tenant.actor, tenant.clientId, {
    name: 'Card index',
    emmamembertableschema: [
      memberColumn.parse({ column_name: 'vorname', label: 'Vorname', data_type: 'string' }),
    ],
  })
  await testMessages.patch(
    tenant.db,
    tenant.actor,
    tenant.scope,
    tenant.messageId,
    {
      body_long:
        '<p>{{ member.vorname }}, {{ client.imprint }} <a href="{{ link.unsubscribe }}">unsubscribe</a></p>',
    },
    { revision: null },
  )
  const list = await listOperations.create(tenant.db, tenant.actor, tenant.clientId, {
    name: 'Theirs',
    member_table_id: Number(other.member_table_id),
  })
  const unknown = async (fields: Patch<typeof resource>) => {
    const campaign = await addTestCampaign(tenant, campaignState.draft, fields)
    const { errors, warnings } = await checkCampaign(database.db, campaign, testContext)
    return [...errors, ...warnings].filter(({ message }) => message.includes('member.vorname')).length
  }
  expect(await unknown({})).toBe(1)
  expect(await unknown({ list_id: Number(list.list_id) })).toBe(0)
})

test('a segment that an open campaign excludes cannot be deleted or moved to another datasource', async () => {
  const { db, actor, scope, clientId } = tenant
  const other = await membertableOperations.create(db, actor, clientId, { name: 'Newsletter' })
  const move = (id: number) =>
    listOperations.patch(
      db,
      actor,
      scope,
      id,
      { member_table_id: Number(other.member_table_id) },
      { revision: null },
    )
  const vip = await listOperations.create(db, actor, clientId, {
    name: 'VIP',
    member_table_id: tenant.memberTableId,
  })
  const vipId = Number(vip.list_id)
  const campaign = await addTestCampaign(tenant, campaignState.scheduled, { exclude_list_ids: [vipId] })
  await expect(listOperations.remove(db, actor, scope, vipId, { revision: null })).rejects.toMatchObject({
    code: 'in_use',
  })
  for (const id of [vipId, tenant.listId])
    await expect(move(id)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'member_table_id', message: expect.stringContaining('"November"') }],
    })
  const id = Number(campaign.campagne_id)
  await db.updateTable('campaign').set({ valid: campaignState.draft }).where('campagne_id', '=', id).execute()
  await move(tenant.listId)
  expect(await campaignOperations.find(db, actor, scope, id)).toMatchObject({
    member_table_id: other.member_table_id,
  })
  await campaignOperations.patch(
    db,
    actor,
    scope,
    id,
    { member_table_id: tenant.memberTableId },
    { revision: null },
  )
  expect(await campaignOperations.find(db, actor, scope, id)).toMatchObject({
    member_table_id: other.member_table_id,
  })
  await db.updateTable('campaign').set({ valid: campaignState.finished }).execute()
  await listOperations.remove(db, actor, scope, vipId, { revision: null })
})

async function addRows(campaignId: number): Promise<void> {
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state)
    select ${tenant.clientId}, ${campaignId}, n, 'p' || n || '@example.test', state::delivery_state
    from unnest('{pending,deferred,sent}'::text[]) with ordinality as r (state, n)`.execute(database.db)
}

async function stateOf(campaignId: number) {
  const { rows } = await sql<{ states: string[]; finished: boolean }>`
    select array_agg(d.state::text order by d.member_id) as states, bool_and(c.finished_at is not null) as finished
    from campaign c join delivery d using (client_id, campagne_id) where campagne_id = ${campaignId}`.execute(
    database.db,
  )
  return rows[0]
}

async function addExpanded(valid: number): Promise<Campaign> {
  const campaign = await addTestCampaign(tenant, valid)
  await database.db
    .updateTable('campaign')
    .set({ expanded_at: new Date(), started_at: new Date() })
    .where('campagne_id', '=', Number(campaign.campagne_id))
    .execute()
  return campaign
}

async function waitsForLock(): Promise<void> {
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return Number(rows[0]?.waiting)
  }
  await expect.poll(waiting).toBe(1)
}
