import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Engine } from './engine.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, ledgerAtRest, startLab, testEngine, type TestLab, validOf } from '../test/engine.ts'

const MEMBERS = 60
/** Half a minute for all. */
const SLOWLY = { throttle: 120, throttle_unit: 'minute' } as const
let database: TestDatabase
let tenant: TestTenant
let lab: TestLab
let engine: Engine | null

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
  lab = await startLab(database.db)
  engine = null
})
afterEach(async () => {
  await engine?.stop()
  await lab.stop()
  await database.drop()
})

/** Switches that forbid sending, and their reversal. */
const switches = {
  client: {
    off: () => database.db.updateTable('client').set({ is_active: false }),
    on: () => database.db.updateTable('client').set({ is_active: true }),
    reason: /client is switched off/,
  },
  'mail class': {
    off: () => database.db.updateTable('mailclass').set({ active: false }),
    on: () => database.db.updateTable('mailclass').set({ active: true }),
    reason: /mail class bulk is switched off/,
  },
  domain: {
    off: () => database.db.updateTable('domain').set({ status: 'failed' }),
    on: () => database.db.updateTable('domain').set({ status: 'verified' }),
    reason: /sender\.test is not verified/,
  },
  'blocklisted domain': {
    off: () => database.db.updateTable('domain').set({ is_blocklisted: true }),
    on: () => database.db.updateTable('domain').set({ is_blocklisted: false }),
    reason: /sender\.test is on a blocklist/,
  },
} as const
const kinds = Object.entries(switches).map(([kind, how]) => ({ kind, ...how }))

test.each(kinds)('$kind off at the start time: held with the reason, nothing expanded', async each => {
  const { campaignId } = await addCampaign(tenant, {
    valid: campaignState.scheduled,
    startdate: new Date().toISOString(),
  })
  await each.off().execute()
  engine = await testEngine(database, lab.port)
  await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.held)
  expect(await errorOf(campaignId)).toMatch(each.reason)
  expect(await countLedger(database.db, campaignId)).toEqual({})
  expect(lab.log()).toEqual([])
})

test.each(kinds)('$kind switched off while sending: the rest is held, and sent after a start', async each => {
  const { campaignId } = await addCampaign(tenant, SLOWLY)
  engine = await testEngine(database, lab.port)
  await expect.poll(() => sentOf(campaignId)).toBeGreaterThan(0)
  await each.off().execute()
  await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.held)
  expect(await errorOf(campaignId)).toMatch(each.reason)
  const { sent = 0 } = await ledgerAtRest(database.db, campaignId)
  expect(sent).toBeLessThan(MEMBERS)
  await each.on().execute()
  await resume(campaignId)
  await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
  expect(await countLedger(database.db, campaignId)).toEqual({ sent: MEMBERS })
  expect(new Set(lab.log().map(row => row.recipient)).size).toBe(MEMBERS)
})

test('a deleted campaign sends nothing, whether it is being prepared or running', async () => {
  const preparing = await addCampaign(tenant)
  const running = await addCampaign(tenant, { valid: campaignState.running })
  await database.db.updateTable('campaign').set({ deleted_at: new Date().toISOString() }).execute()
  engine = await testEngine(database, lab.port)
  await sleep(1_500)
  expect(await validOf(database.db, preparing.campaignId)).toBe(campaignState.preparing)
  expect(await countLedger(database.db, running.campaignId)).toEqual({})
  expect(lab.log()).toEqual([])
})

test('a campaign that loses its DKIM keys is held, and resumes once they are back', async () => {
  const { campaignId } = await addCampaign(tenant, SLOWLY)
  engine = await testEngine(database, lab.port)
  await expect.poll(() => sentOf(campaignId)).toBeGreaterThan(0)
  await engine.stop()
  const keys = await database.db.selectFrom('dkim_key').selectAll().execute()
  await database.db.deleteFrom('dkim_key').execute()
  // A new engine compiles the campaign again.
  engine = await testEngine(database, lab.port)
  await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.held)
  expect(await errorOf(campaignId)).toMatch(/has no key to sign/)
  await database.db.insertInto('dkim_key').values(keys).execute()
  await resume(campaignId)
  await expect.poll(() => validOf(database.db, campaignId)).toBe(campaignState.finished)
  expect(await countLedger(database.db, campaignId)).toEqual({ sent: MEMBERS })
})

async function sentOf(campaignId: number): Promise<number> {
  return (await countLedger(database.db, campaignId)).sent ?? 0
}

async function errorOf(campaignId: number): Promise<string | null> {
  const { error } = await database.db
    .selectFrom('campaign')
    .select('error')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return error
}

/** Continues at full speed. */
async function resume(campaignId: number): Promise<void> {
  await database.db
    .updateTable('campaign')
    .set({ valid: campaignState.running, error: null, throttle: 0 })
    .where('campagne_id', '=', campaignId)
    .execute()
}
