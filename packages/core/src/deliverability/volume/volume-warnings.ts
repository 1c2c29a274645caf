import type { VolumeForecast } from '@emma/contract/actions/volume.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import { receiverLimits, routeRates } from '../limits/route-limits.ts'
import { warmupName } from '../limits/warmup-day.ts'
import type { Forecast } from './forecast.ts'
import type { ForecastPlan, ForecastWarmup } from './forecast-plan.ts'
import type { RouteLimitsRow } from './read-route-limits.ts'
import type { Sending } from './read-sending.ts'

/** Warnings about a sending: limits of its first day, pauses of its route, and what the forecast cannot know. */
export function volumeWarnings(
  sending: Sending,
  plan: ForecastPlan,
  { providers }: Forecast,
): VolumeForecast['warnings'] {
  const sharing = sending.isNow ? countSharing(sending) : 0
  const isBeyond = providers.some(({ seconds }) => seconds === null)
  return [
    ...warmupFaults(sending, plan),
    ...pauseFaults(sending, plan),
    ...(sharing > 0 ? [fault('volume.shared', { campaigns: sharing })] : []),
    ...(sending.question.local_time ? [fault('volume.local_time')] : []),
    ...(isBeyond ? [fault('volume.beyond')] : []),
  ]
}

function warmupFaults({ counts, calendar }: Sending, plan: ForecastPlan): Fault[] {
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const date = calendar.days[0]?.date ?? ''
  const [first, next] = plan.routes
  const left = first && leftOfFirstDay(first.warmup)
  const mailclass = first?.mailclass ?? ''
  const domainLeft = leftOfFirstDay(plan.warmup)
  const faults: Fault[] = []
  if (left !== undefined && left < all && next)
    faults.push(fault('volume.warmup_overflow', { mailclass, left, date, overflow: next.mailclass ?? '' }))
  if (left !== undefined && left < all && !next)
    faults.push(fault('volume.warmup_waits', { mailclass, left, date }))
  if (domainLeft < all)
    faults.push(
      fault('volume.domain_warmup', { domain: calendar.domain?.name ?? '', left: domainLeft, date }),
    )
  return faults
}

function leftOfFirstDay(warmup: ForecastWarmup | null): number {
  const volume = warmup?.volumes[0] ?? null
  return volume === null ? Number.POSITIVE_INFINITY : Math.max(0, volume - (warmup?.sent ?? 0))
}

function pauseFaults({ counts, start }: Sending, { routes: [first] }: ForecastPlan): Fault[] {
  if (!first) return []
  const mailclass = first.mailclass ?? ''
  const timeOf = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  const paused = counts.filter(
    ({ providerId, count }) => count > 0 && (first.backOffs.get(providerId) ?? 0) > 0,
  )
  return [
    ...(first.quarantinedUntil > 0
      ? [fault('volume.quarantine', { mailclass, time: timeOf(first.quarantinedUntil) })]
      : []),
    ...paused.map(({ name, providerId }) =>
      fault('volume.back_off', {
        provider: name,
        mailclass,
        time: timeOf(first.backOffs.get(providerId) ?? 0),
      }),
    ),
  ]
}

/** Running campaigns that share a limit with the sending. */
function countSharing({ routes, running, providers, counts }: Sending): number {
  const used = new Set(counts.filter(({ count }) => count > 0).map(({ providerId }) => providerId))
  const all = [...routes, ...running]
  const namesOf = (row: RouteLimitsRow) => [
    ...routeRates(row, all).map(({ name }) => name),
    ...receiverLimits(row, providers).flatMap(({ providerId, rates }) =>
      used.has(providerId) ? rates.map(({ name }) => name) : [],
    ),
    ...(row.warmup_day === null ? [] : [warmupName('mailclass', row.client_id, row.mailclass_id)]),
  ]
  const own = new Set(routes.flatMap(namesOf))
  const sharing = running.filter(row => namesOf(row).some(name => own.has(name)))
  return new Set(sharing.map(({ campagne_id }) => campagne_id)).size
}
