import { split, type SplitResult } from '@emma/contract/split.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { recordDecision } from '../campaigns/split/record-decision.ts'
import { addTestCampaign, addTestTenant, type TestTenant } from '../test/campaign.ts'
import { readSplitReport } from './read-split-report.ts'

let database: TestDatabase
let tenant: TestTenant
beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
})
afterAll(() => database.drop())

/** Report of a test that was decided like this. */
async function decided(result: Pick<SplitResult, 'reason' | 'user_id'>, winner: number | null) {
  const { db, actor, scope, clientId } = tenant
  const test = split.parse({ variants: [{ subject: 'B' }] })
  const { campagne_id: campaignId, name, valid } = await addTestCampaign(tenant, 2, { split: test })
  const key = { clientId, campaignId, name, valid }
  const how = { winner_by: test.winner_by, level: test.level, figures: [] }
  await recordDecision(db, actor, key, { winner, result: { ...how, ...result } })
  return readSplitReport(db, await campaignOperations.find(db, actor, scope, campaignId))
}

async function addUser(firstname: string, lastname: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into app_user (username, email, firstname, lastname)
    values (gen_random_uuid()::text, gen_random_uuid() || '@example.test', ${firstname}, ${lastname})
    returning id`.execute(database.db)
  return rows[0]?.id ?? 0
}

test('a winner that a user chose comes with the name of the user, and the time', async () => {
  const userId = await addUser('Ann', 'Doe')
  expect(await decided({ reason: 'person', user_id: userId }, 1)).toMatchObject({
    winner: 1,
    decided_by: 'Ann Doe',
    decided_at: expect.any(String),
    result: { reason: 'person' },
  })
  expect(await decided({ reason: 'person', user_id: userId }, null)).toMatchObject({
    winner: null,
    decided_by: 'Ann Doe',
  })
})

test('a winner by the rule, and a test that waits for a user, have no name', async () => {
  expect(await decided({ reason: 'best', user_id: null }, 0)).toMatchObject({ winner: 0, decided_by: null })
  expect(await decided({ reason: 'ask', user_id: null }, null)).toMatchObject({
    decided_at: null,
    decided_by: null,
  })
})
