import { fault } from '@emma/contract/faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { publish, type Push, subscribe } from '@emma/db/notify.ts'
import { type TestDatabase, createTestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addTestCampaign, addTestTenant, type TestTenant } from '../test/campaign.ts'
import { campaignOperations } from './campaign-operations.ts'
import { transition } from './transition.ts'

const domainUnverified = fault('campaign.domain_unverified', { domain: 'news.example.com' })

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

test('a transition writes state, revision, reason, audit log and notification, and notifies consoles', async () => {
  const { db, clientId } = tenant
  const pushes: Push[] = []
  const subscription = await subscribe(database.url, push => void pushes.push(push))
  const { campagne_id, revision } = await addTestCampaign(tenant, campaignState.running)
  const key = { clientId, campaignId: Number(campagne_id) }

  const isMoved = await transition(db, key, {
    from: [campaignState.preparing, campaignState.running],
    to: campaignState.held,
    reason: domainUnverified,
    set: { finished_at: sql`now()` },
  })

  expect(isMoved).toBe(true)
  expect(await read(key.campaignId)).toMatchObject({
    valid: campaignState.held,
    error: domainUnverified.message,
    error_code: domainUnverified.code,
    error_values: domainUnverified.values,
    revision: Number(revision) + 1,
    finished_at: expect.anything(),
  })
  expect(await logged(key.campaignId)).toEqual([
    {
      user_id: null,
      action: 'update',
      changes: {
        valid: [campaignState.running, campaignState.held],
        error: [null, domainUnverified.message],
      },
    },
  ])
  const { rows } = await sql`select code, details from notification where client_id = ${clientId}`.execute(db)
  expect(rows).toEqual([
    {
      code: 'campaign_held',
      details: { name: 'November', reason: domainUnverified.message, fault: domainUnverified },
    },
  ])
  await publish(db, { client_id: clientId, type: 'LAST', data: null })
  await vi.waitFor(() => expect(pushes.map(({ type }) => type)).toContain('LAST'))
  expect(pushes.map(({ type }) => type)).toEqual(['CAMPAIGN_STATUS', 'NOTIFICATION', 'LAST'])
  expect(pushes[0]?.data).toEqual({
    campagne_id: key.campaignId,
    name: 'November',
    valid: campaignState.held,
  })
  await subscription.stop()
})

test('a campaign in another state or of another client does not change', async () => {
  const { db, clientId } = tenant
  const { campagne_id, revision } = await addTestCampaign(tenant, campaignState.paused)
  const campaignId = Number(campagne_id)
  const move = { from: [campaignState.running], to: campaignState.finished }
  expect(await transition(db, { clientId, campaignId }, move)).toBe(false)
  const foreign = { clientId: clientId + 1, campaignId }
  expect(await transition(db, foreign, { ...move, from: [campaignState.paused] })).toBe(false)
  expect(await read(campaignId)).toMatchObject({ valid: campaignState.paused, revision })
  expect(await logged(campaignId)).toEqual([])
})

test('a scheduled campaign that is stopped gets an end time', async () => {
  const { db, actor, clientId } = tenant
  const { campagne_id } = await addTestCampaign(tenant, campaignState.scheduled)
  const campaignId = Number(campagne_id)
  await transition(
    db,
    { clientId, campaignId },
    { from: [campaignState.scheduled], to: campaignState.stopped, by: { actor, action: 'stop' } },
  )
  expect(await read(campaignId)).toMatchObject({ finished_at: expect.anything() })
  expect(await logged(campaignId)).toMatchObject([{ action: 'stop' }])
})

function read(campaignId: number) {
  return campaignOperations.find(tenant.db, tenant.actor, tenant.scope, campaignId)
}

async function logged(campaignId: number) {
  const { rows } = await sql`
    select user_id, action, changes from change_log
    where client_id = ${tenant.clientId} and object = 'campaign' and object_id = ${campaignId} and action <> 'create'
    order by id`.execute(tenant.db)
  return rows
}
