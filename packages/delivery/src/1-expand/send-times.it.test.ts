import { timeGroups } from '@emma/contract/learned-time.ts'
import { membersTable } from '@emma/core/audience/datasources/datasource.ts'
import { localTime } from '@emma/core/recurring/next-runs.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { openVirtualClock, type VirtualClock } from '@emma/db/test/virtual-clock.ts'
import { assert, asyncProperty, boolean, constantFrom, integer, option, record } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testExpansion } from '../test/engine.ts'
import { expandCampaign } from './expand-campaign.ts'

/** Own time, local time, learned hour, batches, quiet hours and order of sending, together. */

const ZONES = [
  'Pacific/Kiritimati',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'America/New_York',
  'UTC',
]
const MEMBERS = 120
const HOUR = 3_600_000

let database: TestDatabase
let clock: VirtualClock
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  clock = await openVirtualClock(database)
  tenant = await createTestTenant(
    clock.db,
    Array.from({ length: MEMBERS }, (_, n) => `p${n}@gmx.test`),
  )
  const members = membersTable(tenant.memberTableId)
  await sql`alter table ${members} add column timezone text`.execute(clock.db)
  await sql`update ${members} set timezone = (${ZONES}::text[])[1 + member_id % 6],
    firstname = nullif('n' || member_id % 7, 'n0'),
    last_opened_at = case when member_id % 3 = 0 then now() - make_interval(days => (member_id * 7 % 50)::int) end,
    last_clicked_at = case when member_id % 5 = 0 then now() - make_interval(days => (member_id * 11 % 50)::int) end`.execute(
    clock.db,
  )
  await sql`
    insert into member_table_column (client_id, member_table_id, column_name, label, data_type)
    values (${tenant.clientId}, ${tenant.memberTableId}, 'firstname', 'First name', 'string')`.execute(
    clock.db,
  )
  await sql`update client set timezone = 'Europe/Berlin'`.execute(clock.db)
})
afterAll(async () => {
  await clock.end()
  await database.drop()
})

interface Row {
  memberId: number
  at: number
  /** Microseconds within the second. */
  rank: number
  zone: string | null
  group: (typeof timeGroups)[number] | null
  best: number | null
  state: string
  reason: string | null
}

interface Settings {
  local_time?: boolean
  local_past?: string
  startdate?: string
  learned_time?: string
  send_order?: string
  order_column?: string
  order_descending?: boolean
  quiet_from?: string
  quiet_to?: string
  window_mails?: number
  window_minutes?: number
}

describe('send times', () => {
  it('keep the documented order of precedence, whatever is combined', async () => {
    const instants = ['2040-03-25T00:10Z', '2040-10-28T00:40Z', '2040-11-04T05:20Z', '2040-06-15T12:00Z']
    const settings = record({
      now: constantFrom(...instants),
      startHours: integer({ min: -3, max: 3 }),
      isLocal: boolean(),
      past: constantFrom('tomorrow', 'now', 'skip'),
      learned: option(
        record({
          control_percent: integer({ min: 5, max: 50 }),
          explore_percent: integer({ min: 0, max: 50 }),
          min_observations: integer({ min: 3, max: 8 }),
        }),
      ),
      quiet: option(record({ from: integer({ min: 0, max: 23 }), hours: integer({ min: 1, max: 12 }) })),
      batch: option(record({ mails: integer({ min: 1, max: 50 }), minutes: integer({ min: 1, max: 90 }) })),
      order: constantFrom('any', 'engaged'),
    })
    await learnSomething()
    await assert(
      asyncProperty(settings, async ({ now, startHours, isLocal, past, learned, quiet, batch, order }) => {
        await clock.set(new Date(now))
        const start = new Date(Date.parse(now) + (isLocal ? startHours * HOUR : 0))
        const rows = await expanded({
          local_time: isLocal,
          local_past: past,
          startdate: start.toISOString(),
          ...(learned && { learned_time: JSON.stringify(learned) }),
          ...(quiet && {
            quiet_from: clockTime(quiet.from),
            quiet_to: clockTime((quiet.from + quiet.hours) % 24),
          }),
          ...(batch && { window_mails: batch.mails, window_minutes: batch.minutes }),
          send_order: order,
        })
        expect(rows.map(({ memberId }) => memberId)).toEqual(Array.from({ length: MEMBERS }, (_, n) => n + 1))
        const sent = rows.filter(({ state }) => state === 'pending')
        if (!(isLocal && past === 'skip')) expect(sent).toHaveLength(MEMBERS)
        for (const row of sent) {
          const zone = row.zone ?? 'Europe/Berlin'
          expect(row.group !== null).toBe(learned !== null)
          // Nobody is sent to before the start; somebody in another time zone may have an earlier local time.
          expect(row.at).toBeGreaterThanOrEqual(Date.parse(now) - (isLocal ? 0.5 * HOUR : 0))
          if (quiet && (isLocal || learned)) {
            const hour = hourOf(row.at, zone)
            expect((hour - quiet.from + 24) % 24).toBeGreaterThanOrEqual(quiet.hours)
          }
          if (isLocal || !learned || batch) continue
          // A day at most after the campaign's time, and the quiet hours after it.
          expect(row.at - Date.parse(now)).toBeLessThanOrEqual((24 + (quiet ? quiet.hours + 1 : 0)) * HOUR)
          if (row.group?.startsWith('control') && !quiet) expect(row.at).toBe(Date.parse(now))
          if (row.group === 'focus') expect(row.best).not.toBeNull()
          if (row.group === 'explore') expect(row.best).toBeNull()
        }
      }),
      { numRuns: 25 },
    )
  })

  it('focus on the best hour of each member in its time zone, and explore for the others', async () => {
    await clock.set(new Date('2040-06-15T12:20Z'))
    await learnSomething()
    const learned = { control_percent: 20, explore_percent: 0, min_observations: 5 }
    const rows = await expanded({ learned_time: JSON.stringify(learned) })
    const groups = Object.groupBy(rows, ({ group }) => group ?? 'none')
    for (const { group, best, at, zone } of rows) {
      if (group === 'focus') {
        expect(hourOf(at, zone ?? '')).toBe(best)
        expect(localTime(new Date(at), zone ?? '')).toMatch(/:00$/)
      }
      expect(at - Date.parse('2040-06-15T12:20Z')).toBeLessThanOrEqual(24 * HOUR)
    }
    expect(Object.keys(groups).toSorted()).toEqual(['control', 'control_known', 'explore', 'focus'])
    // Those who explore are spread over the day.
    expect(new Set(groups.explore?.map(({ at, zone }) => hourOf(at, zone ?? ''))).size).toBeGreaterThan(8)
    // The same members get the same times if the expansion is repeated.
    expect(new Set(groups.control?.map(({ at }) => at))).toEqual(new Set([Date.parse('2040-06-15T12:20Z')]))
  })
})

describe('order of sending', () => {
  it('best first: the latest open or click, then new members; seeds before all', async () => {
    await clock.set(new Date('2040-06-15T12:00Z'))
    const rows = await expanded({ send_order: 'engaged' })
    const { rows: expected } = await sql<{ id: number }>`
      select member_id as id from ${membersTable(tenant.memberTableId)}
      order by greatest(last_opened_at, last_clicked_at) desc nulls last, created_at desc, member_id`.execute(
      clock.db,
    )
    expect(byRank(rows)).toEqual(expected.map(({ id }) => id))
    expect(new Set(rows.map(({ at }) => at))).toEqual(new Set([Date.parse('2040-06-15T12:00Z')]))
  })

  it.each([true, false])('by a column, descending: %s', async order_descending => {
    const rows = await expanded({ send_order: 'column', order_column: 'firstname', order_descending })
    const values = byRank(rows).map(id => id % 7)
    const filled = values.filter(value => value > 0).toSorted((a, b) => (order_descending ? b - a : a - b))
    // Those without a value are last.
    expect(values).toEqual([...filled, ...values.filter(value => value === 0)])
  })

  it('is none by a column that is gone', async () => {
    const rows = await expanded({ send_order: 'column', order_column: 'gone' })
    expect(new Set(rows.map(({ rank }) => rank))).toEqual(new Set([0]))
  })

  it('fills the batches, and is kept after quiet hours', async () => {
    await clock.set(new Date('2040-06-15T12:00Z'))
    const rows = await expanded({
      send_order: 'engaged',
      local_time: true,
      startdate: '2040-06-15T20:00Z',
      quiet_from: '21:00',
      quiet_to: '07:00',
      window_mails: 10,
      window_minutes: 1,
    })
    const inBerlin = rows.filter(({ zone }) => zone === 'Europe/Berlin')
    for (const { at } of inBerlin)
      expect(localTime(new Date(at), 'Europe/Berlin')).toMatch(/^2040-06-16T07:0/)
    const all = byRank(await expanded({ send_order: 'engaged' }))
    const members = new Set(inBerlin.map(({ memberId }) => memberId))
    expect(byRank(inBerlin)).toEqual(all.filter(id => members.has(id)))
  })
})

function byRank(rows: readonly Row[]): number[] {
  return rows.toSorted((a, b) => a.at - b.at || a.rank - b.rank).map(({ memberId }) => memberId)
}

function clockTime(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

function hourOf(at: number, zone: string): number {
  return Number(localTime(new Date(at), zone).slice(11, 13))
}

/** Every second member opens at an hour of its own, a few of them not often enough. */
async function learnSomething(): Promise<void> {
  await sql`delete from member_hours`.execute(clock.db)
  await sql`
    insert into member_hours (client_id, member_table_id, member_id, weights, last_hour, learned_at)
    select ${tenant.clientId}, ${tenant.memberTableId}, id,
      array(select (case when hour = id % 24 then 3 + id % 8 else 0 end)::real from generate_series(0, 23) as hour),
      now(), '2040-12-01'
    from generate_series(2, ${MEMBERS}::int, 2) as id`.execute(clock.db)
}

async function expanded(settings: Settings): Promise<Row[]> {
  const key = await addCampaign(tenant, settings)
  await expandCampaign(clock.db, key, testExpansion)
  const { rows } = await sql<Row>`
    select d.member_id as "memberId", (extract(epoch from date_trunc('second', due_at)) * 1000)::float8 as at,
      (extract(microseconds from due_at)::int % 1000000) as rank, zone, time_group as "group", state, skip_reason as reason,
      case when h.observations >= coalesce((c.learned_time ->> 'min_observations')::int, 0) then h.best_hour end as best
    from delivery d
    join campaign c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
    left join member_hours h on h.client_id = d.client_id and h.member_table_id = ${tenant.memberTableId}
      and h.member_id = d.member_id
    where d.client_id = ${key.clientId} and d.campagne_id = ${key.campaignId} order by d.member_id`.execute(
    clock.db,
  )
  // Their state is not the subject, and expansions of a client wait for each other.
  return rows
}
