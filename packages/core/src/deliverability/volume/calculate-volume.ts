import type { VolumeForecast, VolumeQuestion } from '@emma/contract/actions/volume.ts'
import type { Db } from '@emma/db/connection.ts'
import type { TenantScope } from '../../resource/actor.ts'
import { forecastSending } from './forecast.ts'
import type { ForecastWarmup } from './forecast-plan.ts'
import { planSending } from './plan-sending.ts'
import type { RouteLimitsRow } from './read-route-limits.ts'
import { readSending, type Sending } from './read-sending.ts'
import { volumeWarnings } from './volume-warnings.ts'

/**
 * Calculates how long a sending takes (R248), by the limits that the engine applies.
 *
 * @throws EmmaError `invalid` with each field that names no record of the client
 */
export async function calculateVolume(
  db: Db,
  scope: TenantScope,
  question: VolumeQuestion,
): Promise<VolumeForecast> {
  const sending = await readSending(db, scope, question)
  const plan = planSending(sending)
  const forecast = forecastSending(plan)
  const rows = forecast.providers.map(({ providerId, count, limit, seconds }, index) => ({
    provider_id: providerId,
    name: sending.counts[index]?.name ?? '',
    count,
    limit,
    ...finishOf(sending, seconds),
  }))
  const [last] = rows.toSorted((a, b) => durationOf(b) - durationOf(a) || b.count - a.count)
  return {
    volume: rows.reduce((sum, { count }) => sum + count, 0),
    startdate: new Date(sending.start).toISOString(),
    duration_s: last ? last.duration_s : 0,
    enddate: last ? last.enddate : finishOf(sending, 0).enddate,
    by_provider: rows,
    bottleneck: last?.limit ? { provider_id: last.provider_id, name: last.name, limit: last.limit } : null,
    ips: [...new Set(sending.routes.flatMap(ipsOf))],
    warmup: [
      ...warmupDays(sending, plan.warmup, forecast.domainDays, {
        kind: 'domain',
        name: sending.calendar.domain?.name ?? '',
      }),
      ...plan.routes.flatMap(({ warmup, mailclass }, index) =>
        warmupDays(sending, warmup, forecast.routeDays[index] ?? [], {
          kind: 'mailclass',
          name: mailclass ?? '',
        }),
      ),
    ],
    warnings: volumeWarnings(sending, plan, forecast),
  }
}

function finishOf({ start }: Sending, seconds: number | null) {
  if (seconds === null) return { duration_s: null, enddate: null }
  return { duration_s: Math.round(seconds), enddate: new Date(start + seconds * 1000).toISOString() }
}

function durationOf({ duration_s }: { duration_s: number | null }): number {
  return duration_s ?? Number.MAX_SAFE_INTEGER
}

/** The addresses that a route sends from: the one it names, or all of its own. */
function ipsOf({ send_ip, source_ips }: RouteLimitsRow): string[] {
  return send_ip === null ? (source_ips ?? []).map(({ address }) => address) : [send_ip]
}

/** Days of a warm-up in which emails are planned. */
function warmupDays(
  { calendar }: Sending,
  warmup: ForecastWarmup | null,
  planned: readonly number[],
  of: Pick<VolumeForecast['warmup'][number], 'kind' | 'name'>,
): VolumeForecast['warmup'] {
  return calendar.days.flatMap(({ date }, day) => {
    const volume = warmup?.volumes[day] ?? null
    const count = planned[day] ?? 0
    if (volume === null || count === 0) return []
    return [{ ...of, date, volume, sent: day === 0 ? (warmup?.sent ?? 0) : 0, planned: count }]
  })
}
