import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSent } from '../billing/count-sent.ts'
import { systemActor } from '../resource/actor.ts'
import { addCampaign, createTestTenant, type TestTenant } from '../test/tenant.ts'
import { campaignOperations } from './campaign-operations.ts'
import { checkSendVolume } from './check-send-volume.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['ann@gmx.test', 'ben@gmx.test'])
  const { campaignId } = await addCampaign(tenant, { valid: 3 })
  const now = new Date().toISOString()
  const sent = {
    client_id: tenant.clientId,
    campagne_id: campaignId,
    state: 'sent',
    recorded_at: now,
  } as const
  await database.db
    .insertInto('delivery')
    .values([1, 2].map(member_id => ({ ...sent, member_id, email: 'a@x.test' })))
    .execute()
  await database.db.updateTable('campaign').set({ expanded_at: now }).execute()
  await countSent(database.db)
})
afterAll(() => database.drop())

async function check(limit: number | null, recipients: number, startdate?: string) {
  await database.db.updateTable('client').set({ send_volume_limit: limit }).execute()
  const { campaignId } = await addCampaign(tenant, { valid: 0, ...(startdate ? { startdate } : {}) })
  const { clientId } = tenant
  const campaign = await campaignOperations.find(
    database.db,
    systemActor(clientId),
    { clientIds: [clientId] },
    campaignId,
  )
  return checkSendVolume(database.db, campaign, recipients)
}

test('R045 campaign check: warns when the campaign would exceed the limit of its month', async () => {
  expect(await check(null, 1000)).toEqual([])
  expect(await check(5, 3)).toEqual([])
  expect(await check(5, 4)).toEqual([
    {
      code: 'send_volume',
      field: 'list_id',
      message: 'With 4 further emails, the limit of 5 emails a month would be exceeded.',
      reason: 'campaign.send_volume',
      values: { emails: 4, limit: 5 },
      blocks: false,
    },
  ])
})

test('campaign check: a later month begins without sent emails', async () => {
  const later = new Date(Date.now() + 40 * 86_400_000).toISOString()
  expect(await check(5, 5, later)).toEqual([])
  expect(await check(5, 6, later)).toMatchObject([{ code: 'send_volume', blocks: false }])
})
