import { randomUUID } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { finishCampaigns, reopenCampaigns } from '../5-record/close-campaigns.ts'
import { LeaseLost, writeEntry } from '../5-record/engine-journal.ts'
import { recordOutcomes, toRecord } from '../5-record/record-outcomes.ts'
import { recoverDeadEngines } from '../5-record/recover-dead-engines.ts'
import { resendUnknown, resolveUnknown } from '../5-record/resolve-unknown.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, testExpansion, validOf } from '../test/engine.ts'
import { claimDue as claimWithLimits } from './claim-due.ts'
import type { ClaimQuota } from './claim-quota.ts'
import { bucketsOf } from '@emma/core/deliverability/limits/token-bucket.ts'
import { takeEngineLease } from './engine-lease.ts'

const MEMBERS = 100
const LEASE = randomUUID()

let database: TestDatabase
let tenant: TestTenant

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: MEMBERS }, (_, n) => `ok-${n}@gmx.test`),
  )
})
afterEach(() => database.drop())

describe('claimDue', () => {
  it('gives every row to exactly one engine', async () => {
    const campaign = await expanded()
    const claims = await Promise.all(
      Array.from({ length: 6 }, () =>
        claimDue(tenant.db, randomUUID(), [{ ...campaign, limit: 15, ...FREE }]),
      ),
    )
    const ids = claims.flat().map(row => row.memberId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(90)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ claimed: 90, pending: 10 })
  })

  it('ignores campaigns that are not running and rows that are not due', async () => {
    const campaign = await expanded()
    await sql`update delivery set due_at = now() + interval '1 hour' where member_id > 3`.execute(tenant.db)
    await setValid(campaign.campaignId, campaignState.paused)
    expect(await claimDue(tenant.db, LEASE, [{ ...campaign, limit: 50, ...FREE }])).toEqual([])
    await setValid(campaign.campaignId, campaignState.running)
    const rows = await claimDue(tenant.db, LEASE, [{ ...campaign, limit: 50, ...FREE }])
    expect(new Set(rows.map(row => row.memberId))).toEqual(new Set([1, 2, 3]))
  })

  it('claims for several campaigns at once, each up to its quota', async () => {
    const first = await expanded()
    const second = await expanded()
    const rows = await claimDue(tenant.db, LEASE, [
      { ...first, limit: 7, ...FREE },
      { ...second, limit: 4, ...FREE, buckets: bucketsOf('campaign', { mails: 60, unit: 'hour' }) },
    ])
    const count = (id: number) => rows.filter(row => row.campaignId === id).length
    expect([count(first.campaignId), count(second.campaignId)]).toEqual([7, 1])
  })

  it('claims no more than its limit, in whatever order the planner joins', async () => {
    await expanded()
    // The planner believes that the ledger is empty.
    await sql`delete from delivery`.execute(tenant.db)
    await sql`analyze delivery`.execute(tenant.db)
    const campaign = await expanded()
    for (const limit of [1, 2, 3])
      expect(await claimDue(tenant.db, LEASE, [{ ...campaign, limit, ...FREE }])).toHaveLength(limit)
  })

  it.each([
    ['minute', 1_200, 20],
    ['hour', 36_000, 10],
    ['day', 864_000, 10],
  ])("applies a campaign's throttle per %s to all engines together", async (unit, mails, perSecond) => {
    const campaign = await expanded()
    const quota = { ...campaign, limit: 50, ...FREE, buckets: bucketsOf('campaign', { mails, unit }) }
    const start = performance.now()
    const first = (await claimDue(tenant.db, LEASE, [quota])).length
    expect(first).toBeGreaterThanOrEqual(1)
    expect(first).toBeLessThanOrEqual(1 + (perSecond * (performance.now() - start)) / 1000)
    let claimed = 0
    // Time spent by the test itself counts too.
    let seconds = 0
    for (let round = 0; round < 4; round++) {
      const before = performance.now()
      // Advances the database's clock by half a second.
      await sql`update send_pace set refilled_at = clock_timestamp() - interval '500 ms'`.execute(tenant.db)
      for (const lease of [randomUUID(), randomUUID()])
        claimed += (await claimDue(tenant.db, lease, [quota])).length
      seconds += (performance.now() - before) / 1000 + 0.5
    }
    expect(claimed).toBeGreaterThanOrEqual(perSecond * 2 - 1)
    expect(claimed).toBeLessThanOrEqual(perSecond * seconds + 1)
  })

  it('lets a throttled campaign catch up on one second, not on an hour', async () => {
    const campaign = await expanded()
    const quota = {
      ...campaign,
      limit: 50,
      ...FREE,
      buckets: bucketsOf('campaign', { mails: 600, unit: 'minute' }),
    }
    await claimDue(tenant.db, LEASE, [quota])
    await sql`update send_pace set refilled_at = clock_timestamp() - interval '1 hour'`.execute(tenant.db)
    expect(await claimDue(tenant.db, LEASE, [quota])).toHaveLength(11)
  })
})

describe('recoverDeadEngines', () => {
  it('marks rows of a dead engine as unknown, and leaves those of a live one', async () => {
    const campaign = await expanded()
    const alive = await takeEngineLease(database.pool)
    onTestFinished(() => alive.release())
    const dead = await takeEngineLease(database.pool)
    await claimDue(tenant.db, alive.id, [{ ...campaign, limit: 5, ...FREE }])
    const rows = await claimDue(tenant.db, dead.id, [{ ...campaign, limit: 9, ...FREE }])
    const [answered, ...begun] = rows.slice(0, 5)
    await begin(dead.id, rows.slice(0, 3))
    const outcome = toRecord(settled(answered!, sent))
    await writeEntry(
      database.pool,
      dead.id,
      { entry: 2, begun: rows.slice(3, 5), settled: [outcome] },
      NOTHING,
    )
    expect(await recoverDeadEngines(tenant.db)).toEqual([])
    await dead.release()
    await expect.poll(() => recoverDeadEngines(tenant.db)).toEqual([{ ...campaign, count: begun.length }])
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({
      claimed: 5,
      sent: 1,
      unknown: begun.length,
      pending: MEMBERS - 10,
    })
    expect(await recoverDeadEngines(tenant.db)).toEqual([])
    await expect(begin(dead.id, rows)).rejects.toThrow(LeaseLost)
  })

  it('resends them if the campaign allows it, after waiting for a late outcome', async () => {
    const campaign = await expanded({ unknown_policy: 'resend' })
    const rows = await claimDue(tenant.db, LEASE, [{ ...campaign, limit: MEMBERS, ...FREE }])
    await begin(LEASE, rows)
    expect(await recoverDeadEngines(tenant.db)).toEqual([{ ...campaign, count: MEMBERS }])
    expect(await resendUnknown(tenant.db, 60)).toBe(0)
    await recordOutcomes(
      tenant.db,
      LEASE,
      rows.slice(0, 3).map(row => toRecord(settled(row, sent))),
    )
    await finishCampaigns(tenant.db)
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(campaignState.running)
    expect(await resendUnknown(tenant.db, 0)).toBe(MEMBERS - 3)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ sent: 3, pending: MEMBERS - 3 })
  })

  it('leaves rows unknown after three attempts, and in campaigns that do not resend', async () => {
    const [resending, leaving] = [await expanded({ unknown_policy: 'resend' }), await expanded()]
    await sql`update delivery set state = 'unknown', attempts = 3, recorded_at = now() - interval '1 hour'`.execute(
      tenant.db,
    )
    expect(await resendUnknown(tenant.db, 0)).toBe(0)
    await finishCampaigns(tenant.db)
    for (const { campaignId } of [resending, leaving])
      expect(await validOf(tenant.db, campaignId)).toBe(campaignState.finished)
  })

  it('accepts late outcomes of an engine that only lost its connection', async () => {
    const campaign = await expanded()
    const rows = await claimDue(tenant.db, LEASE, [{ ...campaign, limit: 3, ...FREE }])
    await begin(LEASE, rows)
    await recoverDeadEngines(tenant.db)
    await recordOutcomes(
      tenant.db,
      LEASE,
      rows.map(row => toRecord(settled(row, sent))),
    )
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ sent: 3, pending: MEMBERS - 3 })
  })

  it('reopens a finished campaign when an unknown message is due after all', async () => {
    const campaign = await expanded()
    const rows = await claimDue(tenant.db, LEASE, [{ ...campaign, limit: MEMBERS, ...FREE }])
    await begin(LEASE, rows)
    await recoverDeadEngines(tenant.db)
    await finishCampaigns(tenant.db)
    await reopenCampaigns(tenant.db)
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(campaignState.finished)
    const late: Outcome = { kind: 'deferred', reply: { ...reply, code: 451 } }
    await recordOutcomes(
      tenant.db,
      LEASE,
      rows.slice(0, 1).map(row => toRecord(settled(row, late))),
    )
    await reopenCampaigns(tenant.db)
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(campaignState.running)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ deferred: 1, unknown: MEMBERS - 1 })
  })

  it('rejects late outcomes of rows that another engine has claimed', async () => {
    const campaign = await expanded()
    const rows = await claimDue(tenant.db, LEASE, [{ ...campaign, limit: 3, ...FREE }])
    await begin(LEASE, rows)
    await recoverDeadEngines(tenant.db)
    await resolveUnknown(tenant.db, campaign)
    await claimDue(tenant.db, randomUUID(), [{ ...campaign, limit: MEMBERS, ...FREE }])
    expect(
      await recordOutcomes(
        tenant.db,
        LEASE,
        rows.map(row => toRecord(settled(row, sent))),
      ),
    ).toBe(0)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ claimed: MEMBERS })
  })
})

describe('resolveUnknown', () => {
  it('resumes a finished campaign for its unknown messages', async () => {
    const campaign = await expanded()
    await sql`update delivery set state = case when member_id <= 4 then 'unknown' else 'sent' end::delivery_state`.execute(
      tenant.db,
    )
    await setValid(campaign.campaignId, campaignState.finished)
    expect(await resolveUnknown(tenant.db, campaign)).toBe(4)
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(campaignState.running)
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ pending: 4, sent: MEMBERS - 4 })
    expect(await resolveUnknown(tenant.db, campaign)).toBe(0)
  })

  it.each(['stopped', 'archived'] as const)('puts nothing back for a campaign that was %s', async state => {
    const campaign = await expanded()
    await sql`update delivery set state = 'unknown'`.execute(tenant.db)
    await setValid(campaign.campaignId, campaignState[state])
    await expect(resolveUnknown(tenant.db, campaign)).rejects.toMatchObject({ code: 'wrong_state' })
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ unknown: MEMBERS })
  })
})

async function claimDue(
  db: TestTenant['db'],
  lease: string,
  quotas: readonly ClaimQuota[],
): Promise<ClaimedRow[]> {
  return (await claimWithLimits(db, lease, quotas)).rows
}

const FREE = { buckets: [], receivers: [], closed: [] }
const NOTHING = { after: 0, through: 0 }
const reply = { code: 250, enhanced: null, text: 'OK', class: 'other', hard: false } as const
const sent: Outcome = { kind: 'sent', reply }

function settled(row: ClaimedRow, outcome: Outcome) {
  return { row, outcome, retryScale: 1, resendUnknown: false }
}

/** Writes to the journal that rows begin, under a lease without engine if there is none yet. */
async function begin(lease: string, begun: ClaimedRow[]): Promise<void> {
  if (lease === LEASE)
    await sql`insert into engine (lease) values (${lease}) on conflict do nothing`.execute(tenant.db)
  await writeEntry(database.pool, lease, { entry: 1, begun, settled: [] }, NOTHING)
}

async function expanded(fields: Parameters<typeof addCampaign>[1] = {}) {
  const campaign = await addCampaign(tenant, fields)
  await expandCampaign(tenant.db, campaign, testExpansion)
  return campaign
}

async function setValid(campaignId: number, valid: number): Promise<void> {
  await tenant.db.updateTable('campaign').set({ valid }).where('campagne_id', '=', campaignId).execute()
}
