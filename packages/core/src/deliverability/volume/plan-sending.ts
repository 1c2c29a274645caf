import { actionsOn } from '../limits/active-actions.ts'
import { campaignRate, campaignWindow } from '../limits/campaign-limits.ts'
import { type RateLimit, receiverLimits, routeRates } from '../limits/route-limits.ts'
import { warmupName, type WarmupDay, warmupOf } from '../limits/warmup-day.ts'
import type { ForecastPlan, ForecastRate, ForecastRoute, ForecastWarmup } from './forecast-plan.ts'
import type { RouteLimitsRow } from './read-route-limits.ts'
import type { Sending } from './read-sending.ts'

/** Applies the limits of the engine to a sending. */
export function planSending(sending: Sending): ForecastPlan {
  const { question, counts, calendar, routes, start } = sending
  const rate = campaignRate(question)
  const { domain } = calendar
  return {
    counts,
    days: calendar.days.map(({ begins, ends, quiet }) => ({
      begins: secondsFrom(start, begins),
      ends: secondsFrom(start, ends),
      quiet: quiet.map(({ from, to }) => ({ from: secondsFrom(start, from), to: secondsFrom(start, to) })),
    })),
    rates: rate.mails > 0 ? [{ kind: 'campaign', rate, mailclass: null }] : [],
    window: campaignWindow(question),
    warmup: domain && planWarmup(sending, domain.bucket, domain, null),
    routes: routes.map(row => planRoute(sending, row)),
  }
}

function planRoute(sending: Sending, row: RouteLimitsRow): ForecastRoute {
  const { start, routes, running, providers, actions } = sending
  const toRate = ({ of: kind, rate }: RateLimit): ForecastRate => ({
    kind,
    rate,
    mailclass: kind === 'provider' ? null : row.name,
  })
  const { quarantines, backOffs } = actionsOn(row, actions)
  const ends = (dates: readonly { until: string }[]) =>
    Math.max(0, ...dates.map(({ until }) => secondsFrom(start, Date.parse(until))))
  return {
    mailclass: row.name,
    rates: routeRates(row, [...routes, ...running]).map(toRate),
    warmup: planWarmup(sending, warmupName('mailclass', row.client_id, row.mailclass_id), row, row.name),
    receivers: new Map(
      receiverLimits(row, providers).map(({ providerId, rates }) => [providerId, rates.map(toRate)]),
    ),
    quarantinedUntil: ends(quarantines),
    backOffs: new Map(
      [...Map.groupBy(backOffs, one => one.provider_id)].map(([providerId, own]) => [providerId, ends(own)]),
    ),
  }
}

function planWarmup(
  { calendar: { days, ahead }, spent }: Sending,
  name: string,
  { warmup_day: day, warmup_volumes }: Pick<WarmupDay, 'warmup_day' | 'warmup_volumes'>,
  mailclass: string | null,
): ForecastWarmup | null {
  if (day === null) return null
  const buckets = days.map(({ date }, index) =>
    warmupOf(name, { warmup_date: date, warmup_day: day + ahead + index, warmup_volumes }),
  )
  const [first] = buckets
  if (!first) return null
  return {
    volumes: buckets.map(bucket => bucket?.volume ?? null),
    sent: spent.get(first.name) ?? 0,
    mailclass,
  }
}

function secondsFrom(start: number, at: number): number {
  return (at - start) / 1000
}
