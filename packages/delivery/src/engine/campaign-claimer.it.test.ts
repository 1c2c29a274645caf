import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { takeEngineLease } from '../2-claim/engine-lease.ts'
import { bucketsOf } from '@emma/core/deliverability/limits/token-bucket.ts'
import { testExpansion } from '../test/engine.ts'
import { CampaignClaimer } from './campaign-claimer.ts'
import { listRunning, type RunningCampaign } from './running-campaigns.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  vi.useRealTimers()
  await database.drop()
})

test('campaigns under one rate limit share its tokens, whenever they began', async () => {
  const lease = await takeEngineLease(database.pool)
  const claimed = new Map<number, number>()
  const claimer = new CampaignClaimer({
    db: database.db,
    logger: { info() {}, warn() {}, error() {} },
    lease: { id: lease.id, ensure: async () => {} },
    dispatcher: {
      held: () => new Map(),
      roomFor: () => 1_000,
      roomForReceiver: () => 1_000,
      untilRoom: async () => {},
      dispatch: async ({ clientId }, _route, rows) => {
        claimed.set(clientId, (claimed.get(clientId) ?? 0) + rows.length)
      },
    },
  })
  const [first, second] = [await startSending(0), await startSending(100)]
  vi.useFakeTimers({ toFake: ['performance'] })

  await claimAt(1_010, [first])
  await claimAt(1_030, [first, second])
  claimed.clear()
  // If each rested 100 ms on its own, the first would get the tokens of 80 ms, and the second those of 20.
  for (let now = 1_100; now < 2_100; now += 10) await claimAt(now, [first, second])

  const [ofFirst = 0, ofSecond = 0] = [first, second].map(({ clientId }) => claimed.get(clientId))
  expect(ofFirst + ofSecond).toBeGreaterThan(80)
  expect(Math.abs(ofFirst - ofSecond)).toBeLessThan(10)
  await lease.release()

  /** A claim at a time of the engine's clock, after another token has arrived. */
  async function claimAt(now: number, running: readonly RunningCampaign[]): Promise<void> {
    vi.advanceTimersByTime(now - performance.now())
    await sql`update send_pace set tokens = tokens + 1, refilled_at = now() + interval '1 hour'`.execute(
      database.db,
    )
    await claimer.claim('bulk', running)
  }
})

test('knows whether a campaign has rows that are due now', async () => {
  const { campaignId } = await startSending(1_000)
  const hasDue = async () =>
    (await listRunning(database.db, '')).find(one => one.campaignId === campaignId)?.hasDue
  expect(await hasDue()).toBe(true)
  await sql`update delivery set due_at = now() + interval '1 minute' where campagne_id = ${campaignId}`.execute(
    database.db,
  )
  expect(await hasDue()).toBe(false)
  await sql`update delivery set due_at = now(), state = 'deferred' where campagne_id = ${campaignId}`.execute(
    database.db,
  )
  expect(await hasDue()).toBe(true)
  await sql`update delivery set state = 'claimed' where campagne_id = ${campaignId}`.execute(database.db)
  expect(await hasDue()).toBe(false)
})

/** A running campaign to 100 members, under a limit that it shares with the others. */
async function startSending(from: number): Promise<RunningCampaign> {
  const emails = Array.from({ length: 100 }, (_, n) => `m${from + n}@gmail.test`)
  const tenant = await createTestTenant(database.db, emails)
  const key = await addCampaign(tenant)
  await expandCampaign(database.db, key, testExpansion)
  const campaign = (await listRunning(database.db, '')).find(one => one.campaignId === key.campaignId)
  if (!campaign) throw new Error('The campaign is not running.')
  return { ...campaign, buckets: bucketsOf('shared', { mails: 6_000, unit: 'minute' }) }
}
