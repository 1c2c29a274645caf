import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expandCampaign } from '../1-expand/expand-campaign.ts'
import { followLocalHours } from '../2-claim/local-hours.ts'
import { lookUpReceivers } from '../1-expand/look-up-receivers.ts'
import { bucketsOf } from '@emma/core/deliverability/limits/token-bucket.ts'
import { spendTokens, takeTokens } from '../2-claim/rate-limits.ts'
import { readWarmup } from '@emma/core/deliverability/limits/read-warmup.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { listRunning } from './running-campaigns.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { testExpansion } from '../test/engine.ts'

/**
 * Limits and times with difficult clocks and calendars: changed rates, clock jumps, time zones, daylight saving time.
 */

const SECONDS: Record<string, number> = { minute: 60, hour: 3600, day: 86_400 }
const LEASE = '00000000-0000-4000-8000-000000000001'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
  await sql`insert into engine (lease) values (${LEASE})`.execute(database.db)
})
afterEach(() => database.drop())

describe('a rate', () => {
  it.each([
    [7, 'minute', 600],
    [61, 'minute', 120],
    [1_000, 'minute', 60],
    [3_601, 'hour', 120],
    [100_000, 'hour', 60],
    [100, 'day', 10_000],
    [1_000_000, 'day', 60],
  ])(
    'of %d messages per %s is kept within 2 %% over %d s, at irregular intervals',
    async (mails, unit, seconds) => {
      const perSecond = mails / (SECONDS[unit] ?? 0)
      await take('b', { mails, unit }, 0)
      // Steps of a tenth to nine tenths of a second; of seconds if a message takes minutes.
      const scale = seconds > 1000 ? 10 : 1
      let taken = 0
      let passed = 0
      for (let step = 0; passed < seconds; step++) {
        const pause = Math.min(seconds - passed, scale * (0.1 + 0.1 * (step % 9)))
        const found = await take('b', { mails, unit }, pause)
        taken += found.mails
        // A bucket holds at most one second: of a longer pause nothing more counts.
        passed += Math.min(found.seconds, Math.max(pause, 1))
      }
      const wanted = perSecond * passed
      expect(Math.abs(taken - wanted)).toBeLessThanOrEqual(Math.max(1, wanted * 0.02))
    },
  )

  it('that changes while running applies from the next claim on, without a burst of the old rate', async () => {
    await take('b', { mails: 60_000, unit: 'minute' }, 0)
    expect((await take('b', { mails: 60, unit: 'minute' }, 30)).mails).toBeLessThanOrEqual(2)
    const slower = await take('b', { mails: 60, unit: 'minute' }, 0.5)
    expect(slower.mails).toBeLessThanOrEqual(Math.ceil(slower.seconds))
    expect((await take('b', { mails: 60_000, unit: 'minute' }, 0.5)).mails).toBeGreaterThanOrEqual(499)
  })

  it("survives a clock jump, forwards or back, by at most one second's burst", async () => {
    const rate = { mails: 600, unit: 'minute' }
    await take('b', rate, 0)
    expect((await take('b', rate, 3 * 3600)).mails).toBeLessThanOrEqual(11)
    // The clock is an hour behind the stored time.
    expect((await take('b', rate, -3600)).mails).toBeLessThanOrEqual(1)
    expect((await take('b', rate, 0.5)).mails).toBeGreaterThanOrEqual(4)
    const last = await take('b', rate, 0.5)
    expect(last.mails).toBeLessThanOrEqual(10 * last.seconds + 1)
  })
})

describe('a day', () => {
  // Their dates always differ.
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])(
    'of a warm-up begins at midnight in %s',
    async zone => {
      const tenant = await createTestTenant(database.db, ['a@gmx.test'])
      await database.db.updateTable('client').set({ timezone: zone }).execute()
      const key = { clientId: tenant.clientId, id: tenant.mailclassId }
      const startAgo = (days: number) =>
        sql`update mailclass set warmup_volumes = '{10,20,30}',
        warmup_start = (now() at time zone ${zone})::date - ${days}::int`.execute(tenant.db)
      await expand(tenant, await addCampaign(tenant))
      for (const [days, volume] of [10, 20, 30].entries()) {
        await startAgo(days)
        const [running] = await listRunning(tenant.db, LEASE)
        expect(running?.routes[0]?.warmup).toMatchObject({ volume })
        expect(await readWarmup(tenant.db, 'mailclass', key)).toEqual({ day: days + 1, volume, sent: 0 })
        const bucket = running?.routes[0]?.warmup
        if (!bucket) throw new Error('There is no warm-up.')
        // Usage of one day does not count for the next.
        expect((await takeTokens(tenant.db, [bucket])).get(bucket.name)).toBe(volume)
        await spendTokens(tenant.db, new Map([[bucket.name, volume]]))
        expect((await readWarmup(tenant.db, 'mailclass', key)).sent).toBe(volume)
        await dayPasses()
      }
      await startAgo(3)
      expect((await listRunning(tenant.db, LEASE))[0]?.routes[0]?.warmup).toBe(null)
    },
  )
})

it('a restarted warm-up begins with its first day', async () => {
  const tenant = await createTestTenant(database.db, ['a@gmx.test'])
  await expand(tenant, await addCampaign(tenant))
  for (let start = 0; start < 2; start++) {
    await sql`update mailclass set warmup_volumes = '{10,20}',
      warmup_start = (now() at time zone 'UTC')::date`.execute(tenant.db)
    const bucket = (await listRunning(tenant.db, LEASE))[0]?.routes[0]?.warmup
    if (!bucket) throw new Error('There is no warm-up.')
    expect((await takeTokens(tenant.db, [bucket])).get(bucket.name)).toBe(10)
    await spendTokens(tenant.db, new Map([[bucket.name, 10]]))
    await dayPasses()
  }
})

/** Moves today's usage to yesterday. */
async function dayPasses(): Promise<void> {
  await sql`update send_pace set bucket = regexp_replace(bucket, ' on .*', ' on another day') || random()`.execute(
    database.db,
  )
}

describe('quiet hours', () => {
  it('begin with their first minute, end before their last, and are disabled if both are equal', async () => {
    const tenant = await createTestTenant(database.db, ['a@gmx.test'])
    await database.db.updateTable('client').set({ timezone: 'America/St_Johns' }).execute()
    const clock = async (seconds: number) =>
      (
        await sql<{ at: string }>`
          select to_char(now() at time zone 'America/St_Johns' + make_interval(secs => ${seconds}), 'HH24:MI:SS') as at`.execute(
          tenant.db,
        )
      ).rows[0]?.at ?? ''
    const quiet = async (from: string, to: string) => {
      const key = await addCampaign(tenant, { quiet_from: from, quiet_to: to })
      await expand(tenant, key)
      return (await listRunning(tenant.db, LEASE)).find(one => one.campaignId === key.campaignId)?.isQuiet
    }
    expect(await quiet(await clock(0), await clock(600))).toBe(true)
    expect(await quiet(await clock(-600), await clock(0))).toBe(false)
    expect(await quiet('22:00', '22:00')).toBe(false)
  })

  it('follow daylight saving time of the zone', async () => {
    // Berlin, 25 March and 28 October 2040: 2 o'clock is 3, and 3 is 2 again.
    const { rows } = await sql<{ wall: string }>`
      select to_char(wall_clock(at, 'Europe/Berlin'), 'DD HH24:MI') as wall
      from unnest('{2040-03-25 00:59Z,2040-03-25 01:00Z,2040-10-28 00:30Z,2040-10-28 01:30Z}'::timestamptz[]) as at`.execute(
      database.db,
    )
    expect(rows.map(row => row.wall)).toEqual(['25 01:59', '25 03:00', '28 02:30', '28 02:30'])
  })
})

describe('in recipients’ local time', () => {
  const ZONES = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'UTC+2',
    'gmt -5:30',
    '+0545',
    'Etc/GMT+2',
    'cet',
  ]

  it.each([
    // New York is on daylight saving time already, Berlin is not, Lord Howe (half an hour) still is.
    [
      '2040-03-20T09:00Z',
      ['20 08:00', '20 13:00', '19 22:00', '20 07:00', '20 14:30', '20 03:15', '20 11:00', '20 08:00'],
    ],
    // Half past two does not exist in Berlin on this day: an hour later by the new time.
    [
      '2040-03-25T02:30Z',
      ['25 01:30', '25 06:30', '24 15:30', '25 00:30', '25 08:00', '24 20:45', '25 04:30', '25 01:30'],
    ],
    // It exists twice: sent once, by standard time.
    [
      '2040-10-28T02:30Z',
      ['28 01:30', '28 06:30', '27 15:30', '28 00:30', '28 08:00', '27 20:45', '28 04:30', '28 01:30'],
    ],
    [
      '2040-07-01T09:00Z',
      ['01 07:00', '01 13:00', '30 22:30', '01 07:00', '01 14:30', '01 03:15', '01 11:00', '01 07:00'],
    ],
  ])(
    '%s is the same hour in each zone, across a change to daylight saving time, and offsets have their usual sign',
    async (startdate, due) => {
      const tenant = await createTestTenant(
        database.db,
        ZONES.map((_, n) => `p${n}@gmx.test`),
      )
      const members = sql.id('members', `t${tenant.memberTableId}`)
      await sql`alter table ${members} add column timezone text`.execute(tenant.db)
      await sql`update ${members} set timezone = (${ZONES}::text[])[member_id]`.execute(tenant.db)
      await database.db.updateTable('client').set({ timezone: 'UTC' }).execute()
      const key = await addCampaign(tenant, { local_time: true, startdate })
      await expand(tenant, key)
      const { rows } = await sql<{ due: string }>`
      select to_char(due_at at time zone 'UTC', 'DD HH24:MI') as due from delivery order by member_id`.execute(
        tenant.db,
      )
      expect(rows.map(row => row.due)).toEqual(due)
    },
  )
})

describe('hours in each recipient’s zone', () => {
  let tenant: TestTenant
  beforeEach(async () => {
    tenant = await createTestTenant(database.db, ['berlin@gmx.test', 'tokyo@gmx.test', 'york@gmx.test'])
    const members = sql.id('members', `t${tenant.memberTableId}`)
    await sql`alter table ${members} add column timezone text`.execute(tenant.db)
    await sql`update ${members} set timezone =
      ('{Europe/Berlin,Asia/Tokyo,America/New_York}'::text[])[member_id]`.execute(tenant.db)
    await database.db.updateTable('client').set({ timezone: 'Europe/Berlin' }).execute()
  })

  it('quiet hours of the client apply in the recipient’s zone, and delay no one else', async () => {
    await database.db.updateTable('client').set({ quiet_from: '22:00', quiet_to: '07:00' }).execute()
    await expand(tenant, await addCampaign(tenant, { local_time: true, startdate: '2040-03-20T08:00Z' }))
    expect(await dueLocally()).toEqual({ berlin: '20 09:00', tokyo: '20 09:00', york: '20 09:00' })
    expect((await listRunning(tenant.db, LEASE))[0]?.isQuiet).toBe(false)
    await sql`update campaign set expanded_at = null, valid = 4`.execute(tenant.db)
    await sql`delete from delivery`.execute(tenant.db)
    await sql`update campaign set startdate = '2040-03-20T22:30Z'`.execute(tenant.db)
    const { rows } = await sql<{ client_id: number; campagne_id: number }>`
      select client_id, campagne_id from campaign`.execute(tenant.db)
    await expand(tenant, { clientId: tenant.clientId, campaignId: rows[0]?.campagne_id ?? 0 })
    expect(await dueLocally()).toEqual({ berlin: '21 07:00', tokyo: '21 07:00', york: '21 07:00' })
  })

  it('a window after quiet hours begins at their end', async () => {
    await expand(
      tenant,
      await addCampaign(tenant, {
        local_time: true,
        startdate: '2040-03-20T20:30Z',
        quiet_from: '22:00',
        quiet_to: '07:00',
        window_mails: 1,
        window_minutes: 60,
      }),
    )
    expect(await dueLocally()).toEqual({ berlin: '20 21:30', tokyo: '21 07:00', york: '21 07:00' })
  })

  it('hours that passed while nothing could be sent move to the next day', async () => {
    const key = await addCampaign(tenant, { local_time: true, startdate: new Date().toISOString() })
    await expand(tenant, key)
    await sql`update delivery set due_at = now() - interval '12 hours' where email like 'tokyo%'`.execute(
      tenant.db,
    )
    await sql`update delivery set due_at = now() - interval '20 minutes' where email like 'berlin%'`.execute(
      tenant.db,
    )
    await sql`update delivery set due_at = now() + interval '5 hours' where email like 'york%'`.execute(
      tenant.db,
    )
    const hours = async () => {
      const { rows } = await sql<{ hours: number[] }>`
        select array_agg(round(extract(epoch from due_at - now()) / 3600)::int order by member_id) as hours
        from delivery`.execute(tenant.db)
      return rows[0]?.hours
    }
    // It is sending: late rows are delayed by a throttle.
    await followLocalHours(tenant.db, key, true)
    expect(await hours()).toEqual([0, -12, 5])
    await sql`update campaign set followed_at = now() - interval '31 minutes'`.execute(tenant.db)
    expect((await listRunning(tenant.db, LEASE))[0]?.isQuiet).toBe(true)
    await followLocalHours(tenant.db, key, false)
    expect(await hours()).toEqual([0, 12, 5])
    expect((await listRunning(tenant.db, LEASE))[0]?.isQuiet).toBe(false)
  })

  it('a retry due in quiet hours waits for their end', async () => {
    const key = await addCampaign(tenant, { local_time: true, startdate: new Date().toISOString() })
    await expand(tenant, key)
    await sql`update delivery set state = 'deferred', due_at = now()`.execute(tenant.db)
    await sql`update campaign set quiet_from = (now() at time zone 'Asia/Tokyo' - interval '1 hour')::time,
      quiet_to = (now() at time zone 'Asia/Tokyo' + interval '2 hours')::time`.execute(tenant.db)
    await followLocalHours(tenant.db, key, true)
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from due_at - now()) / 3600)::int as hours from delivery order by member_id`.execute(
      tenant.db,
    )
    expect(rows.map(row => row.hours)).toEqual([0, 2, 0])
  })

  async function dueLocally(): Promise<Record<string, string>> {
    const { rows } = await sql<{ name: string; due: string }>`
      select split_part(email, '@', 1) as name, to_char(due_at at time zone zone, 'DD HH24:MI') as due
      from delivery`.execute(tenant.db)
    return Object.fromEntries(rows.map(row => [row.name, row.due]))
  }
})

describe('a receiver', () => {
  it('R216 is found ignoring the case of hosts, patterns and domains', async () => {
    const tenant = await createTestTenant(database.db, ['a@One.example', 'b@two.example', 'c@three.example'])
    await sql`update provider set mx_patterns = '{%.MX.Large.Example}', domains = '{Three.Example}' where provider_id = 3`.execute(
      tenant.db,
    )
    const key = await addCampaign(tenant)
    const asked: string[] = []
    await lookUpReceivers(tenant.db, key, async domain => {
      asked.push(domain)
      return domain === 'one.example' ? ['IN1.mx.LARGE.example.'] : ['in2.mx.large.example']
    })
    expect(asked.toSorted()).toEqual(['one.example', 'two.example'])
    await expand(tenant, key)
    expect(await providersOf(tenant)).toEqual({ 'one.example': 3, 'two.example': 3, 'three.example': 3 })
  })

  it('R216 stays one if domains share hosts in a chain, and none moves from its provider', async () => {
    const tenant = await createTestTenant(
      database.db,
      ['a', 'b', 'c', 'd', 'e'].map(name => `x@${name}.example`),
    )
    const hosts: Record<string, string[]> = {
      'a.example': ['h1.example'],
      'b.example': ['h1.example', 'h2.example'],
      'c.example': ['h2.example', 'h3.example'],
      'd.example': ['aspmx.l.google.com', 'backup.example'],
      'e.example': ['backup.example'],
    }
    const key = await addCampaign(tenant)
    await lookUpReceivers(tenant.db, key, async domain => hosts[domain] ?? [])
    await expand(tenant, key)
    const { 'a.example': first, ...others } = await providersOf(tenant)
    expect(first).toBeGreaterThan(100)
    expect(others).toEqual({ 'b.example': first, 'c.example': first, 'd.example': 5, 'e.example': 5 })
  })

  it('stays if DNS fails, and changes with its answer', async () => {
    const tenant = await createTestTenant(database.db, ['a@firm.example'])
    const key = await addCampaign(tenant)
    const answer = async (hosts: string[] | null) => {
      await sql`update receiving_domain set expires_at = now() - interval '1 second'`.execute(tenant.db)
      await lookUpReceivers(tenant.db, key, async () => hosts ?? Promise.reject(new Error('SERVFAIL')))
      return (await database.db.selectFrom('receiving_domain').select(['provider_id', 'hosts']).execute())[0]
    }
    const google = { provider_id: 5, hosts: ['aspmx.l.google.com'] }
    expect(await answer(['ASPMX.L.GOOGLE.COM'])).toEqual(google)
    expect(await answer(null)).toEqual(google)
    expect(await answer(['mx.firm.example'])).toEqual({ provider_id: null, hosts: ['mx.firm.example'] })
  })
})

/**
 * Advances a bucket's time and takes all its tokens. Returns their number, and the seconds that really passed, as
 * statements take long on a busy machine.
 */
async function take(
  name: string,
  rate: { mails: number; unit: string },
  seconds: number,
): Promise<{ mails: number; seconds: number }> {
  await pass(name, seconds)
  const before = await refilledAt(name)
  return database.db.transaction().execute(async tx => {
    const mails = (await takeTokens(tx, bucketsOf(name, rate))).get(name) ?? 0
    await spendTokens(tx, new Map([[name, mails]]))
    return { mails, seconds: (await refilledAt(name, tx)) - before }
  })
}

async function pass(name: string, seconds: number): Promise<void> {
  await sql`update send_pace set refilled_at = clock_timestamp() - make_interval(secs => ${seconds}) where bucket = ${name}`.execute(
    database.db,
  )
}

/** Seconds since the epoch: now, for a missing bucket. */
async function refilledAt(name: string, db = database.db): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select extract(epoch from coalesce(
      (select refilled_at from send_pace where bucket = ${name}), clock_timestamp()))::float8 as at`.execute(
    db,
  )
  return rows[0]?.at ?? 0
}

async function providersOf(tenant: TestTenant): Promise<Record<string, number>> {
  const { rows } = await sql<{ domain: string; provider_id: number }>`
    select split_part(lower(email), '@', 2) as domain, provider_id from delivery`.execute(tenant.db)
  return Object.fromEntries(rows.map(row => [row.domain, row.provider_id]))
}

async function expand(tenant: TestTenant, key: CampaignKey): Promise<void> {
  await expandCampaign(tenant.db, key, testExpansion)
}
