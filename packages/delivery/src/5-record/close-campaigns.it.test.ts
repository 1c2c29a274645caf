import { fault } from '@emma/contract/faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failCampaign, finishCampaigns } from './close-campaigns.ts'

const templateGone = fault('campaign.template_gone')
const offDirect = fault('campaign.off_direct')

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await db.insertInto('client').values({ client_id: 1, name: 'Client' }).execute()
  const now = new Date().toISOString()
  await db
    .insertInto('campaign')
    .values(
      [1, 2, 3].map(campagne_id => ({
        client_id: 1,
        campagne_id,
        name: `Campaign ${campagne_id}`,
        valid: campagne_id === 1 ? campaignState.preparing : campaignState.running,
        started_at: now,
        expanded_at: campagne_id === 1 ? null : now,
      })),
    )
    .execute()
})
afterAll(() => database.drop())

test('R290 users who may see campaigns are notified when a campaign finishes or fails', async () => {
  const { db } = database
  await failCampaign(db, { clientId: 1, campaignId: 1 }, 'failed', templateGone)
  await failCampaign(db, { clientId: 1, campaignId: 2 }, 'held', offDirect)
  await finishCampaigns(db)
  await finishCampaigns(db)
  const news = await db
    .selectFrom('notification')
    .select(['client_id', 'kind', 'code', 'permission', 'user_id', 'path', 'details'])
    .orderBy('id')
    .execute()
  const common = { client_id: 1, permission: 'EmmaCampaign:get', user_id: null }
  expect(news).toEqual([
    {
      ...common,
      kind: 'danger',
      code: 'campaign_failed',
      path: '/campaigns/start/1',
      details: { name: 'Campaign 1', reason: templateGone.message, fault: templateGone },
    },
    {
      ...common,
      kind: 'danger',
      code: 'campaign_held',
      path: '/campaigns/start/2',
      details: { name: 'Campaign 2', reason: offDirect.message, fault: offDirect },
    },
    {
      ...common,
      kind: 'success',
      code: 'campaign_finished',
      path: '/campaigns/reports/3',
      details: { name: 'Campaign 3', reason: '' },
    },
  ])
})
