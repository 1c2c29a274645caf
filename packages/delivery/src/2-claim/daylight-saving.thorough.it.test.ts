import { campaignState } from '@emma/contract/campaign-states.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openVirtualClock, type VirtualClock } from '@emma/db/test/virtual-clock.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { startScheduled } from '../5-record/close-campaigns.ts'
import { testExpansion } from '../test/engine.ts'
import { claimDue } from './claim-due.ts'
import { followLocalHours } from './local-hours.ts'

/**
 * A scheduled campaign in recipients' local time, over the days on which clocks change: from the plan to the claim, with
 * a clock that the test moves on by a quarter of an hour.
 */

const LEASE = '00000000-0000-4000-8000-000000000001'
const QUARTER = 15 * 60_000
const HOUR = 4 * QUARTER

// Offsets in 2040: Berlin +1, +2 from 25 March to 28 October; New York −5, −4 from 11 March to 4 November; Lord Howe
// +11, +10:30 from 1 April to 7 October.
const ZONES = [
  'Pacific/Kiritimati',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Pago_Pago',
]

let database: TestDatabase
let clock: VirtualClock
let tenant: TestTenant

beforeEach(async () => {
  database = await createTestDatabase()
  clock = await openVirtualClock(database)
  await sql`insert into engine (lease) values (${LEASE})`.execute(database.db)
  tenant = await createTestTenant(
    clock.db,
    ZONES.map((_, n) => `p${n}@gmx.test`),
  )
  const members = sql.id('members', `t${tenant.memberTableId}`)
  await sql`alter table ${members} add column timezone text`.execute(clock.db)
  await sql`update ${members} set timezone = (${ZONES}::text[])[member_id]`.execute(clock.db)
  await sql`update client set timezone = 'UTC'`.execute(clock.db)
})
afterEach(async () => {
  await clock.end()
  await database.drop()
})

describe('a scheduled campaign in local time', () => {
  it.each([
    // Half past two does not exist in Berlin: an hour later by the new time.
    ['spring, in the gap of Berlin', '2040-03-25 02:30', { 'Europe/Berlin': '25 03:30' }],
    ['spring, in the gap of New York', '2040-03-11 02:30', { 'America/New_York': '11 03:30' }],
    ['spring, in the gap of Lord Howe', '2040-10-07 02:15', { 'Australia/Lord_Howe': '07 02:45' }],
    // It exists twice: sent once.
    ['autumn, in the hour that Berlin repeats', '2040-10-28 02:30', {}],
    ['autumn, in the hour that New York repeats', '2040-11-04 01:30', {}],
    ['autumn, in the half hour that Lord Howe repeats', '2040-04-01 01:45', {}],
    ['spring, after the change', '2040-03-25 09:00', {}],
    ['autumn, after the change', '2040-10-28 09:00', {}],
  ])('%s: each recipient gets it once, at its minute', async (_name, time, moved) => {
    const startdate = `${time.replace(' ', 'T')}Z`
    const start = new Date(startdate)
    const claims = await run({ startdate, valid: campaignState.scheduled }, start, [-27 * HOUR, 27 * HOUR])
    expect(claims.map(({ zone }) => zone).toSorted()).toEqual(ZONES.toSorted())
    const expected = Object.fromEntries(ZONES.map(zone => [zone, time.slice(8)]))
    expect(Object.fromEntries(claims.map(({ zone, wall }) => [zone, wall]))).toEqual({
      ...expected,
      ...moved,
    })
  })
})

describe('a campaign in local time that is started late', () => {
  // Noon in Berlin: 9:00 is over there, and in all zones to the east.
  const startdate = '2040-10-28T09:00Z'
  const noon = new Date('2040-10-28T11:00Z')
  const later = { 'America/New_York': '28 09:00', 'Pacific/Pago_Pago': '28 09:00' }

  it.each([
    [
      'tomorrow',
      {
        'Pacific/Kiritimati': '29 09:00',
        'Asia/Kolkata': '29 09:00',
        'Australia/Lord_Howe': '29 09:00',
        'Europe/Berlin': '29 09:00',
      },
    ],
    [
      'now',
      {
        'Pacific/Kiritimati': '29 01:00',
        'Asia/Kolkata': '28 16:30',
        'Australia/Lord_Howe': '28 22:00',
        'Europe/Berlin': '28 12:00',
      },
    ],
    ['skip', {}],
  ])('where the time has passed: %s', async (local_past, past) => {
    const claims = await run({ startdate, local_past, valid: campaignState.preparing }, noon, [0, 48 * HOUR])
    expect(Object.fromEntries(claims.map(({ zone, wall }) => [zone, wall]))).toEqual({ ...past, ...later })
    expect(claims).toHaveLength(Object.keys({ ...past, ...later }).length)
    const { rows } = await sql<{ skipped: number }>`
      select count(*) as skipped from delivery where skip_reason = 'time_passed'`.execute(clock.db)
    expect(rows).toEqual([{ skipped: ZONES.length - claims.length }])
  })
})

/** Lets the clock run around a time, with what an engine does; returns the claims with the wall clock of their zone. */
async function run(
  fields: { startdate: string; valid: number; local_past?: string },
  around: Date,
  [from, to]: [number, number],
): Promise<{ zone: string; wall: string }[]> {
  const key = await addCampaign(tenant, { local_time: true, ...fields })
  const claims: { zone: string; wall: string }[] = []
  for (let at = around.getTime() + from; at <= around.getTime() + to; at += QUARTER) {
    await clock.set(new Date(at))
    await startScheduled(clock.db)
    await expandCampaign(clock.db, key, testExpansion)
    await followLocalHours(clock.db, key, true)
    const quota = { ...key, limit: 100, buckets: [], receivers: [], closed: [] }
    const { rows } = await claimDue(clock.db, LEASE, [quota])
    if (rows.length === 0) continue
    const claimed = await sql<{ zone: string; wall: string }>`
      select zone, to_char(now() at time zone zone, 'DD HH24:MI') as wall from delivery
      where member_id = any(${rows.map(row => row.memberId)}::bigint[])`.execute(clock.db)
    claims.push(...claimed.rows)
  }
  return claims
}
