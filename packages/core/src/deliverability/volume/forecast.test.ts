import type { LimitKind } from '@emma/contract/actions/volume.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forecastSending } from './forecast.ts'
import type { ForecastPlan, ForecastRate, ForecastRoute } from './forecast-plan.ts'

const HOUR = 3600
const DAY = 86_400
const GMAIL = 5

const route: ForecastRoute = {
  mailclass: 'bulk',
  rates: [],
  warmup: null,
  receivers: new Map(),
  quarantinedUntil: 0,
  backOffs: new Map(),
}
const plan: ForecastPlan = {
  counts: [],
  days: daysFrom(8),
  rates: [],
  window: null,
  warmup: null,
  routes: [route],
}

/** Days of a sending that starts at an hour of the first one. */
function daysFrom(hour: number, count = 366, quiet: [number, number][] = []) {
  return Array.from({ length: count }, (_, index) => {
    const begins = index * DAY - hour * HOUR
    return {
      begins,
      ends: begins + DAY,
      quiet: quiet.map(([from, to]) => ({ from: begins + from * HOUR, to: begins + to * HOUR })),
    }
  })
}

function rate(kind: LimitKind, mails: number, unit = 'hour'): ForecastRate {
  return { kind, rate: { mails, unit }, mailclass: kind === 'campaign' ? null : 'bulk' }
}

function warmupOf(volumes: number[], sent = 0, days = 366) {
  return { volumes: Array.from({ length: days }, (_, day) => volumes[day] ?? null), sent, mailclass: 'bulk' }
}

function forecast(changes: Partial<ForecastPlan>, counts: Record<number, number>) {
  const listed = Object.entries(counts).map(([id, count]) => ({ providerId: Number(id), count }))
  const result = forecastSending({ ...plan, ...changes, counts: listed })
  return {
    ...result,
    of: Object.fromEntries(
      result.providers.map(({ providerId, seconds, limit }) => [providerId, [seconds, limit?.kind ?? null]]),
    ),
  }
}

describe('a sending takes', () => {
  test('no time without limits, nor without recipients', () => {
    expect(forecast({}, { 0: 250_000, [GMAIL]: 0 }).of).toEqual({ 0: [0, null], [GMAIL]: [0, null] })
    expect(forecast({ rates: [rate('campaign', 1)] }, {}).providers).toEqual([])
  })

  test('what the slowest of campaign, mail class, login and IP allows, for all providers together', () => {
    const rates = [rate('mailclass', 5000), rate('login', 2000), rate('ip', 60, 'minute')]
    const { of } = forecast(
      { rates: [rate('campaign', 2500)], routes: [{ ...route, rates }] },
      { 0: 1000, [GMAIL]: 3000 },
    )
    expect(of).toEqual({ 0: [(4000 / 2000) * HOUR, 'login'], [GMAIL]: [2 * HOUR, 'login'] })
  })

  test('what a provider allows, while others are not delayed by it', () => {
    const receivers = new Map([[GMAIL, [rate('provider', 2000), rate('mailclass_provider', 1000)]]])
    const result = forecast(
      { routes: [{ ...route, rates: [rate('mailclass', 5000)], receivers }] },
      { 0: 4000, [GMAIL]: 3000 },
    )
    expect(result.of).toEqual({ 0: [HOUR, 'mailclass'], [GMAIL]: [3 * HOUR, 'mailclass_provider'] })
    expect(result.providers[1]?.limit).toEqual({
      kind: 'mailclass_provider',
      mails: 1000,
      seconds: HOUR,
      mailclass: 'bulk',
    })
  })

  test('as long as its share of a common rate: of providers with limits, and of all those between two of them', () => {
    const receivers = new Map([
      [GMAIL, [rate('provider', 90_000)]],
      // Concurrent connections only.
      [7, []],
    ])
    const common = { rates: [rate('campaign', 4000)], routes: [{ ...route, receivers }] }
    const { of } = forecast(common, { 0: 500, 1: 500, [GMAIL]: 1000, 6: 1000, 7: 2000 })
    // Each of the four a thousand in the first hour.
    expect(of).toEqual({
      0: [HOUR, 'campaign'],
      1: [HOUR, 'campaign'],
      [GMAIL]: [HOUR, 'campaign'],
      6: [HOUR, 'campaign'],
      7: [1.25 * HOUR, 'campaign'],
    })
    const window = { volume: 400, seconds: HOUR }
    expect(forecast({ ...common, rates: [], window }, { 0: 100, 6: 300 }).of).toEqual({
      0: [0, null],
      6: [0, null],
    })
    expect(forecast({ ...common, rates: [], window }, { 0: 100, 6: 301 }).of[6]).toEqual([HOUR, 'window'])
  })

  test('the days of a warm-up, less what was sent on the first one', () => {
    const warmup = warmupOf([100, 200, 400], 40)
    const result = forecast({ routes: [{ ...route, warmup }] }, { 0: 300 })
    // From 8:00: 60 today, 200 tomorrow, and 40 at the midnight after.
    expect(result.of).toEqual({ 0: [16 * HOUR + DAY, 'warmup'] })
    expect(result.routeDays[0]?.slice(0, 4)).toEqual([60, 200, 40, 0])
    expect(forecast({ warmup }, { 0: 61 }).of).toEqual({ 0: [16 * HOUR, 'domain_warmup'] })
  })

  test('the overflow mail class from the moment the day is used up', () => {
    const first = { ...route, warmup: warmupOf([100]), rates: [rate('mailclass', 100)] }
    const second = { ...route, mailclass: 'warm', rates: [rate('mailclass', 1000)] }
    const result = forecast({ routes: [first, second] }, { 0: 3100 })
    expect(result.of).toEqual({ 0: [4 * HOUR, 'mailclass'] })
    expect(result.routeDays.map(([today]) => today)).toEqual([100, 3000])
  })

  test('windows, each of which begins with its first message', () => {
    const window = { volume: 500, seconds: HOUR }
    expect(forecast({ window }, { 0: 500 }).of).toEqual({ 0: [0, null] })
    expect(forecast({ window }, { 0: 1001 }).of).toEqual({ 0: [2 * HOUR, 'window'] })
    expect(forecast({ window, rates: [rate('campaign', 400)] }, { 0: 1000 }).of).toEqual({
      0: [2.5 * HOUR, 'campaign'],
    })
  })

  test('the night of quiet hours', () => {
    const days = daysFrom(20, 366, [
      [0, 7],
      [22, 24],
    ])
    const result = forecast({ days, rates: [rate('campaign', 1000)] }, { 0: 3000 })
    // Two hours until 22:00, nothing until 7:00, one hour.
    expect(result.of).toEqual({ 0: [12 * HOUR, 'quiet_hours'] })
    const always = daysFrom(20, 3, [[0, 24]])
    expect(forecast({ days: always }, { 0: 1 }).of).toEqual({ 0: [null, 'quiet_hours'] })
  })

  test('the quarantine of the route and the back-off from a receiver', () => {
    const closed = { ...route, quarantinedUntil: HOUR }
    expect(forecast({ routes: [closed] }, { 0: 5 }).of).toEqual({ 0: [HOUR, 'quarantine'] })
    const slow = { ...route, mailclass: 'warm', rates: [rate('mailclass', 10)] }
    // Ten over the second route, until the first one is open again.
    expect(forecast({ routes: [closed, slow] }, { 0: 500 }).of).toEqual({ 0: [HOUR, 'mailclass'] })
    const backOffs = new Map([[GMAIL, 2 * HOUR]])
    expect(forecast({ routes: [{ ...route, backOffs }] }, { 0: 5, [GMAIL]: 5 }).of).toEqual({
      0: [0, null],
      [GMAIL]: [2 * HOUR, 'back_off'],
    })
  })

  test('longer than the days of the plan: no finish', () => {
    const { providers } = forecast({ rates: [rate('campaign', 1, 'day')] }, { 0: 1000 })
    expect(providers[0]).toMatchObject({ seconds: null, limit: { kind: 'campaign', mails: 1, seconds: DAY } })
    const minutes = { window: { volume: 1, seconds: 60 } }
    expect(forecast(minutes, { 0: 1_000_000_000 }).of).toEqual({ 0: [null, 'window'] })
  })
})

describe('any sending', () => {
  const mails = fc.integer({ min: 1, max: 100_000 })
  const unit = fc.constantFrom('minute', 'hour', 'day')
  const someRate = (kind: LimitKind) => fc.record({ mails, unit }).map(one => rate(kind, one.mails, one.unit))
  const rates = (kind: LimitKind) => fc.array(someRate(kind), { maxLength: 2 })
  const warmup = fc.option(
    fc
      .record({
        volumes: fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 30 }),
        sent: fc.nat(1000),
      })
      .map(({ volumes, sent }) => warmupOf(volumes, sent)),
  )
  const someRoute = fc.record<ForecastRoute>({
    mailclass: fc.constant('bulk'),
    rates: rates('mailclass'),
    warmup,
    receivers: fc
      .array(fc.tuple(fc.nat(4), rates('provider')), { maxLength: 4 })
      .map(limits => new Map(limits)),
    quarantinedUntil: fc.constantFrom(0, 0, HOUR, 3 * DAY),
    backOffs: fc.array(fc.tuple(fc.nat(4), fc.nat(2 * DAY)), { maxLength: 2 }).map(ends => new Map(ends)),
  })
  const quiet: fc.Arbitrary<[number, number][]> = fc.constantFrom(
    [],
    [[0, 7]],
    [
      [0, 6],
      [21, 24],
    ],
  )
  const somePlan = (routes: number) =>
    fc.record<ForecastPlan>({
      counts: fc
        .array(fc.nat(200_000), { minLength: 1, maxLength: 5 })
        .map(list => list.map((count, providerId) => ({ providerId, count }))),
      days: fc.tuple(fc.nat(23), quiet).map(([hour, hours]) => daysFrom(hour, 60, hours)),
      rates: rates('campaign'),
      window: fc.option(fc.record({ volume: mails, seconds: fc.integer({ min: 600, max: 604_800 }) })),
      warmup,
      routes: fc.array(someRoute, { minLength: 1, maxLength: routes }),
    })

  test('ends at a finite time that is not before its start, and sends each email once', () => {
    fc.assert(
      fc.property(somePlan(3), one => {
        const { providers, domainDays, routeDays } = forecastSending(one)
        for (const { seconds, count } of providers) {
          if (seconds !== null) expect(Number.isFinite(seconds) && seconds >= 0).toBe(true)
          if (count === 0) expect(seconds).toBe(0)
        }
        const all = one.counts.reduce((sum, { count }) => sum + count, 0)
        const sent = domainDays.reduce((sum, count) => sum + count, 0)
        const over = routeDays.flat().reduce((sum, count) => sum + count, 0)
        // Days are rounded.
        const inexact = 61
        expect(Math.abs(sent - over)).toBeLessThan(inexact * 3)
        expect(sent).toBeLessThan(all + inexact)
        if (providers.every(({ seconds }) => seconds !== null)) expect(sent).toBeGreaterThan(all - inexact)
      }),
    )
  })

  test('exceeds no rate and no warm-up day', () => {
    fc.assert(
      fc.property(somePlan(3), one => {
        const { providers, domainDays, routeDays } = forecastSending(one)
        const ends = providers.map(({ seconds }) => seconds ?? Number.POSITIVE_INFINITY)
        const all = one.counts.reduce((sum, { count }) => sum + count, 0)
        for (const { rate: own } of one.rates) {
          const perSecond = own.mails / { minute: 60, hour: HOUR, day: DAY }[own.unit as 'minute']
          expect(Math.max(0, ...ends)).toBeGreaterThanOrEqual((all / perSecond) * (1 - 1e-9))
        }
        const isWithin = (limit: ForecastPlan['warmup'], days: number[]) =>
          days.every((count, day) => {
            const volume = limit?.volumes[day] ?? Number.POSITIVE_INFINITY
            return count <= Math.max(0, volume - (day === 0 ? (limit?.sent ?? 0) : 0))
          })
        expect(isWithin(one.warmup, domainDays)).toBe(true)
        for (const [index, days] of routeDays.entries())
          expect(isWithin(one.routes[index]?.warmup ?? null, days)).toBe(true)
      }),
    )
  })

  test('over one mail class takes at least as long with more emails, for each provider', () => {
    fc.assert(
      fc.property(somePlan(1), fc.array(fc.nat(50_000), { minLength: 5, maxLength: 5 }), (one, more) => {
        const larger = one.counts.map(({ providerId, count }, at) => ({
          providerId,
          count: count + (more[at] ?? 0),
        }))
        const before = forecastSending(one).providers
        const after = forecastSending({ ...one, counts: larger }).providers
        for (const [at, { seconds, count }] of before.entries()) {
          if (count === 0) continue
          const later = after[at]?.seconds ?? Number.POSITIVE_INFINITY
          expect(later).toBeGreaterThanOrEqual((seconds ?? Number.POSITIVE_INFINITY) * (1 - 1e-9) - 1e-6)
        }
      }),
    )
  })
})
