import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTestCampaign, addTestTenant, testContext } from '../test/campaign.ts'
import { moveCampaign } from './move-campaign.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('pause, resume and stop do not touch the ledger, whatever its size', async () => {
  const tenant = await addTestTenant(database.db)
  const { db, actor, scope } = tenant
  const { campagne_id: id } = await addTestCampaign(tenant, campaignState.running)
  await db.updateTable('campaign').set({ expanded_at: sql`now()` }).where('campagne_id', '=', id).execute()
  const ledger = await database.pool.connect()
  try {
    await ledger.query('begin; lock table delivery in access exclusive mode')
    const states: number[] = []
    for (const action of ['pause', 'start', 'stop'] as const)
      states.push((await moveCampaign(db, actor, scope, id, action, {}, testContext)).valid)
    expect(states).toEqual([campaignState.paused, campaignState.running, campaignState.stopped])
  } finally {
    await ledger.query('rollback')
    ledger.release()
  }
})
