import { type TestDatabase, createTestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignOperations } from './campaign-operations.ts'
import { markTested } from './mark-tested.ts'
import { type TestTenant, addTestCampaign, addTestTenant } from '../test/campaign.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

test('a tested campaign stays tested until a field changes that the test showed', async () => {
  const { db, actor, scope, clientId, messageId } = tenant
  const campaign = await addTestCampaign(tenant)
  const campaignId = Number(campaign.campagne_id)
  const patch = (fields: object) =>
    campaignOperations.patch(db, actor, scope, campaignId, { ...fields }, { revision: null })
  expect(campaign.tested_at).toBeNull()

  await markTested(db, clientId, { campaignId, messageId: messageId + 1 })
  expect((await campaignOperations.find(db, actor, scope, campaignId)).tested_at).toBeNull()
  await markTested(db, clientId, { campaignId, messageId })
  const tested = await campaignOperations.find(db, actor, scope, campaignId)
  expect(tested.tested_at).not.toBeNull()
  expect(tested.revision).toBe(campaign.revision)

  expect((await patch({ name: 'Other name' })).tested_at).not.toBeNull()
  expect((await patch({ subject: 'Other subject' })).tested_at).toBeNull()
  expect((await campaignOperations.find(db, actor, scope, campaignId)).tested_at).toBeNull()
})
