import {
  type CampaignAction,
  type CampaignStateName,
  campaignActions,
  campaignState,
  campaignTransitions,
} from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fields } from '../resource/operations.ts'
import { campaignOperations } from './campaign-operations.ts'
import { cancelOpen } from './cancel-open.ts'
import { listHistory } from './list-history.ts'
import { type MoveOptions, moveCampaign } from './move-campaign.ts'
import { addTestCampaign, addTestTenant, testContext, type TestTenant } from '../test/campaign.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

function move(campaign: Fields, action: CampaignAction, options: MoveOptions = {}): Promise<Fields> {
  const { db, actor, scope } = tenant
  return moveCampaign(db, actor, scope, Number(campaign.campagne_id), action, options, testContext)
}

test('R290 pausing a campaign notifies the other users once', async () => {
  const campaign = await addTestCampaign(tenant, campaignState.running)
  const { id: userId } = await tenant.db
    .insertInto('app_user')
    .values({ username: 'pat', email: 'pat@example.test', firstname: 'Pat', lastname: 'Person' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pause = () =>
    moveCampaign(
      tenant.db,
      { ...tenant.actor, userId },
      tenant.scope,
      Number(campaign.campagne_id),
      'pause',
      {},
      testContext,
    )
  await pause()
  await expect(pause()).rejects.toMatchObject({ code: 'wrong_state' })
  const { rows } = await database.pool.query(
    `select n.code, n.permission, n.details, n.path, s.read_at is not null as is_read from notification n
     left join notification_state s on s.client_id = n.client_id and s.id = n.id and s.user_id = $1
     where n.path like $2`,
    [userId, `%/${Number(campaign.campagne_id)}`],
  )
  expect(rows).toEqual([
    {
      code: 'campaign_paused',
      permission: 'EmmaCampaign:get',
      details: { name: campaign.name, person: 'Pat Person' },
      path: `/campaigns/start/${Number(campaign.campagne_id)}`,
      is_read: true,
    },
  ])
})

/** Target state of each action, from any state that allows it. */
const ends: Record<CampaignAction, CampaignStateName> = {
  start: 'preparing',
  pause: 'paused',
  stop: 'stopped',
  copy: 'draft',
  archive: 'archived',
  unarchive: 'draft',
  schedule: 'scheduled',
  cancel: 'draft',
}

const states = Object.entries(campaignState)
const attempts = campaignActions.flatMap(action =>
  states.map(([from, valid]) => ({
    action,
    from,
    valid,
    isPossible: campaignTransitions[action].some(state => state === valid),
  })),
)

test.each(attempts.filter(each => each.isPossible))(
  '$action moves a campaign in state $from',
  async ({ action, valid }) => {
    const campaign = await addTestCampaign(tenant, valid, {
      startdate: action === 'schedule' ? tomorrow() : null,
    })
    const moved = await move(campaign, action)
    const resumes = action === 'start' && valid === campaignState.paused
    expect(moved.valid).toBe(campaignState[resumes ? 'running' : ends[action]])
    expect(moved.campagne_id === campaign.campagne_id).toBe(action !== 'copy')
  },
)

test.each(attempts.filter(each => !each.isPossible))(
  '$action is rejected for a campaign in state $from',
  async each => {
    const campaign = await addTestCampaign(tenant, each.valid)
    await expect(move(campaign, each.action)).rejects.toMatchObject({
      code: 'wrong_state',
      message: `A campaign in this state (${each.from}) cannot be moved by "${each.action}".`,
    })
    const { db, actor, scope } = tenant
    expect(await campaignOperations.find(db, actor, scope, Number(campaign.campagne_id))).toEqual(campaign)
  },
)

test('a future start time schedules, null starts now', async () => {
  const later = tomorrow()
  expect(await move(await addTestCampaign(tenant), 'start', { startdate: later })).toMatchObject({
    valid: campaignState.scheduled,
    startdate: later,
    started_at: null,
  })
  const passed = await addTestCampaign(tenant, 0, { startdate: '2020-01-01T00:00:00.000Z' })
  const started = await move(passed, 'start', { startdate: null })
  expect(started.valid).toBe(campaignState.preparing)
  expect(Date.parse(String(started.started_at))).toBeGreaterThan(Date.now() - 60_000)
  expect(
    await move(await addTestCampaign(tenant, 0, { startdate: later }), 'start', { startdate: null }),
  ).toMatchObject({
    valid: campaignState.preparing,
  })
  for (const startdate of [undefined, '2020-01-01T00:00:00.000Z'])
    await expect(move(await addTestCampaign(tenant), 'schedule', { startdate })).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'startdate', message: 'must be in the future' }],
    })
})

test('start: rejects a past start time of the request and of the campaign', async () => {
  const refused = {
    code: 'invalid',
    fields: [{ field: 'startdate', message: 'must be in the future' }],
  }
  const startdate = '2020-01-01T00:00:00.000Z'
  const [draft, passed] = [await addTestCampaign(tenant), await addTestCampaign(tenant, 0, { startdate })]
  await expect(move(draft, 'start', { startdate })).rejects.toMatchObject(refused)
  await expect(move(passed, 'start')).rejects.toMatchObject(refused)
  const { db, actor, scope } = tenant
  for (const campaign of [draft, passed])
    expect(await campaignOperations.find(db, actor, scope, Number(campaign.campagne_id))).toEqual(campaign)
})

test('start: a start time less than a minute ago starts now', async () => {
  const startdate = new Date(Date.now() - 5_000).toISOString()
  expect(await move(await addTestCampaign(tenant), 'start', { startdate })).toMatchObject({
    valid: campaignState.preparing,
  })
})

test('start: a paused campaign with a past start time resumes', async () => {
  const paused = await addTestCampaign(tenant, campaignState.paused, {
    startdate: '2020-01-01T00:00:00.000Z',
  })
  expect(await move(paused, 'start')).toMatchObject({ valid: campaignState.running })
})

test('of two concurrent starts one succeeds', async () => {
  const campaign = await addTestCampaign(tenant)
  const results = await Promise.allSettled([move(campaign, 'start'), move(campaign, 'start')])
  expect(results.map(result => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(result => result.status === 'rejected')?.reason).toMatchObject({ code: 'wrong_state' })
})

test('stop: ends the campaign and leaves its open deliveries for the engine to cancel', async () => {
  const campaign = await addTestCampaign(tenant, campaignState.running)
  const ledger = ['pending', 'deferred', 'claimed', 'sent', 'unknown', 'skipped'] as const
  await tenant.db
    .insertInto('delivery')
    .values(
      ledger.map((state, index) => ({
        client_id: tenant.clientId,
        campagne_id: Number(campaign.campagne_id),
        member_id: index + 1,
        email: 'a@example.test',
        state,
      })),
    )
    .execute()
  const states = async () => {
    const rows = await tenant.db
      .selectFrom('delivery')
      .select('state')
      .where('campagne_id', '=', Number(campaign.campagne_id))
      .orderBy('member_id')
      .execute()
    return rows.map(row => row.state)
  }
  expect((await move(campaign, 'stop')).finished_at).not.toBeNull()
  expect(await states()).toEqual(ledger)
  await cancelOpen(tenant.db)
  expect(await states()).toEqual(['cancelled', 'cancelled', ...ledger.slice(2)])
})

test.each(campaignTransitions.archive)('unarchiving restores state %i', async valid => {
  const campaign = await addTestCampaign(tenant, valid)
  const archived = await move(campaign, 'archive')
  expect((await move(archived, 'unarchive')).valid).toBe(valid)
})

test('a copy is a draft with the same content and no sending history', async () => {
  const campaign = await addTestCampaign(tenant, campaignState.finished, {
    name: 'x'.repeat(255),
    throttle: 100,
    send_once_key: 'gift',
  })
  const copy = await move(campaign, 'copy')
  expect(copy).toMatchObject({
    name: `${'x'.repeat(240)} (copy)`,
    list_id: tenant.listId,
    message_id: tenant.messageId,
    throttle: 100,
    send_once_key: 'gift',
    valid: campaignState.draft,
    started_at: null,
    progress_cur: 0,
  })
})

test('a copy keeps a reference to a deleted segment', async () => {
  const { db, actor, scope } = tenant
  const campaign = await addTestCampaign(tenant, campaignState.finished)
  await db.updateTable('list').set({ deleted_at: new Date() }).where('list_id', '=', tenant.listId).execute()
  try {
    expect(await move(campaign, 'copy')).toMatchObject({ valid: campaignState.draft, list_id: tenant.listId })
  } finally {
    await db.updateTable('list').set({ deleted_at: null }).where('list_id', '=', tenant.listId).execute()
  }
  expect((await campaignOperations.find(db, actor, scope, Number(campaign.campagne_id))).list_id).toBe(
    tenant.listId,
  )
})

test('the history lists every transition, newest first', async () => {
  const campaign = await addTestCampaign(tenant, campaignState.running)
  await move(campaign, 'pause')
  await move(campaign, 'start')
  const { db, actor, scope } = tenant
  const history = await listHistory(db, actor, scope, Number(campaign.campagne_id))
  expect(history.filter(entry => entry.object === 'campaign').slice(0, 2)).toMatchObject([
    { action: 'start', changes: { valid: [campaignState.paused, campaignState.running] } },
    { action: 'pause', changes: { valid: [campaignState.running, campaignState.paused] } },
  ])
})

test('another client’s campaign is not found', async () => {
  const campaign = await addTestCampaign(tenant)
  const move_ = moveCampaign(
    tenant.db,
    tenant.actor,
    { clientIds: [tenant.clientId + 1] },
    Number(campaign.campagne_id),
    'archive',
    {},
    testContext,
  )
  await expect(move_).rejects.toMatchObject({ code: 'not_found' })
})

test('only drafts and scheduled campaigns can be changed, and the send speed of paused ones', async () => {
  const { db, actor, scope } = tenant
  const patch = async (valid: number, input: Fields, whole = false) =>
    campaignOperations.patch(
      db,
      actor,
      scope,
      Number((await addTestCampaign(tenant, valid)).campagne_id),
      input,
      {
        revision: null,
        whole,
      },
    )
  const { draft, scheduled, paused, ...others } = campaignState
  for (const valid of [draft, scheduled])
    expect(await patch(valid, { name: 'December' })).toMatchObject({ name: 'December' })
  for (const valid of Object.values(others))
    await expect(patch(valid, { name: 'December' })).rejects.toMatchObject({ code: 'wrong_state' })
  await expect(patch(paused, { name: 'December' })).rejects.toMatchObject({ fields: [{ field: 'name' }] })
  expect(await patch(paused, { throttle: 5, name: 'November' })).toMatchObject({ throttle: 5 })
  await expect(patch(paused, { name: 'November', throttle: 5 }, true)).rejects.toMatchObject({
    code: 'wrong_state',
  })
})
