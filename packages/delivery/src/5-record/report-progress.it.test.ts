import { campaignState } from '@emma/contract/campaign-states.ts'
import { cancelOpen } from '@emma/core/campaigns/cancel-open.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { claimDue } from '../2-claim/claim-due.ts'
import { takeEngineLease } from '../2-claim/engine-lease.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, testExpansion } from '../test/engine.ts'
import { writeEntry } from './engine-journal.ts'
import { recordOutcomes, toRecord } from './record-outcomes.ts'
import { recoverDeadEngines } from './recover-dead-engines.ts'
import { reportProgress } from './report-progress.ts'
import { resolveUnknown } from './resolve-unknown.ts'

const MEMBERS = 40
const LEASE = '00000000-0000-4000-8000-000000000001'
const { paused, running, stopped } = campaignState

let database: TestDatabase
let tenant: TestTenant
let campaign: CampaignKey

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
  campaign = await addCampaign(tenant)
  await expandCampaign(tenant.db, campaign, testExpansion)
})
afterEach(() => database.drop())

describe('progress of a campaign that is not running', () => {
  it('includes what was in flight when it was paused, and is not recounted forever', async () => {
    const rows = await claim(10)
    await settle(rows.slice(0, 4), sent)
    expect(await count()).toBe(4)
    await move(paused)
    await settle(rows.slice(4, 9), sent)
    expect(await count()).toBe(9)
    // Independent of how long one of them takes.
    await leaveAlone()
    expect(await count()).toBe(9)
    await settle(rows.slice(9), deferred)
    expect(await count()).toBe(9)
    expect(await isOpen()).toBe(false)
    await move(running)
    await settle(await claim(3), sent)
    expect(await count()).toBe(12)
  })

  it('includes what was in flight when it was stopped, but not what was cancelled', async () => {
    const rows = await claim(10)
    await settle(rows.slice(0, 4), sent)
    await count()
    await move(stopped)
    await settle(rows.slice(4, 8), sent)
    await settle(rows.slice(8), deferred)
    await leaveAlone()
    await count()
    expect(await isOpen()).toBe(true)
    await cancelOpen(tenant.db)
    expect(await count()).toBe(8)
    expect(await isOpen()).toBe(false)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ sent: 8, cancelled: MEMBERS - 8 })
  })

  it.each([
    [paused, { sent: 1, unknown: 2, pending: MEMBERS - 3 }],
    [stopped, { sent: 1, unknown: 2, cancelled: MEMBERS - 3 }],
  ])('is correct (%d) after its engine was killed, however late that is recovered', async (to, ledger) => {
    const engine = await takeEngineLease(database.pool)
    const rows = await claim(6, engine.id)
    const [answered, ...begun] = rows.slice(0, 3)
    await count()
    await writeEntry(
      database.pool,
      engine.id,
      { entry: 1, begun, settled: records([answered!], sent) },
      FIRST,
    )
    await move(to)
    await engine.release()
    await sql`update campaign set finished_at = now() - interval '3 hours' where valid = ${stopped}`.execute(
      tenant.db,
    )
    await leaveAlone()
    await count()
    expect(await isOpen()).toBe(true)
    // Its lock is released when its connection is gone.
    await expect.poll(() => recoverDeadEngines(tenant.db)).toHaveLength(1)
    await cancelOpen(tenant.db)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual(ledger)
    expect(await count()).toBe(3)
  })

  it.each([
    [paused, 1],
    [stopped, 1],
  ])('includes late outcomes of a disconnected engine (%d)', async (to, done) => {
    const rows = await claim(2)
    await move(to)
    await sql`update delivery set state = 'unknown', recorded_at = now() where state = 'claimed'`.execute(
      tenant.db,
    )
    await cancelOpen(tenant.db)
    await leaveAlone()
    expect(await count()).toBe(2)
    await settle(rows.slice(0, 1), deferred)
    await cancelOpen(tenant.db)
    expect(await count()).toBe(done)
  })

  it('includes unknown messages to be resent', async () => {
    await claim(5)
    await move(paused)
    await sql`update delivery set state = 'unknown', recorded_at = now() - interval '1 day' where state = 'claimed'`.execute(
      tenant.db,
    )
    await leaveAlone()
    expect(await count()).toBe(5)
    expect(await isOpen()).toBe(false)
    await resolveUnknown(tenant.db, campaign)
    expect(await count()).toBe(0)
  })
})

const FIRST = { after: 0, through: 0 }
const reply = { code: 250, enhanced: null, text: 'OK', class: 'other', hard: false } as const
const sent: Outcome = { kind: 'sent', reply }
const deferred: Outcome = { kind: 'deferred', reply: { ...reply, code: 451 } }

async function claim(limit: number, lease = LEASE): Promise<ClaimedRow[]> {
  const { rows } = await claimDue(tenant.db, lease, [
    { ...campaign, limit, buckets: [], receivers: [], closed: [] },
  ])
  return rows
}

async function settle(rows: readonly ClaimedRow[], outcome: Outcome): Promise<void> {
  await recordOutcomes(tenant.db, LEASE, records(rows, outcome))
}

function records(rows: readonly ClaimedRow[], outcome: Outcome) {
  return rows.map(row => toRecord({ row, outcome, retryScale: 1, resendUnknown: false }))
}

async function move(valid: number): Promise<void> {
  await tenant.db
    .updateTable('campaign')
    .set({ valid, updated_at: sql`now()`, ...(valid === campaignState.running && { progress_open: true }) })
    .where('campagne_id', '=', campaign.campaignId)
    .execute()
}

/** Simulates a campaign that was unchanged for a while. */
async function leaveAlone(): Promise<void> {
  await sql`update campaign set updated_at = now() - interval '1 minute'`.execute(tenant.db)
}

async function count(): Promise<number> {
  await reportProgress(tenant.db, new Map())
  return (await read()).progress_cur
}

async function isOpen(): Promise<boolean> {
  return (await read()).progress_open
}

function read() {
  return tenant.db
    .selectFrom('campaign')
    .select(['progress_cur', 'progress_open'])
    .where('campagne_id', '=', campaign.campaignId)
    .executeTakeFirstOrThrow()
}
