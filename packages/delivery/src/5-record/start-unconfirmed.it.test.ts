import { campaignState } from '@emma/contract/campaign-states.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScheduled } from './close-campaigns.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['a@gmx.test'])
  await sql`update client set created_at = now() - interval '1 year'`.execute(database.db)
})
afterAll(() => database.drop())

async function startDue() {
  const { campaignId } = await addCampaign(tenant, {
    valid: campaignState.scheduled,
    startdate: new Date(Date.now() - 1000).toISOString(),
  })
  await startScheduled(database.db)
  return database.db
    .selectFrom('campaign')
    .select(['valid', 'error_code', 'error_values'])
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
}

test('R189 a scheduled campaign is held if the agreement was not confirmed in time', async () => {
  const { db } = database
  const texts = { title_en: 'A', title_de: 'A', title_es: 'A', html_en: 'A', html_de: 'A', html_es: 'A' }
  const values = { ...texts, version: '1', valid_from: '2026-01-01', published: true }
  await db
    .insertInto('bav')
    .values({ ...values, published_at: new Date(Date.now() - 5 * 86_400_000).toISOString() })
    .execute()
  expect(await startDue()).toMatchObject({ valid: campaignState.preparing })
  await sql`update bav set published_at = now() - interval '15 days'`.execute(db)
  expect(await startDue()).toMatchObject({
    valid: campaignState.held,
    error_code: 'campaign.bav_overdue',
    error_values: { version: '1' },
  })
})
