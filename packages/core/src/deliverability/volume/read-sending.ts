import type { VolumeQuestion } from '@emma/contract/actions/volume.ts'
import type { Db } from '@emma/db/connection.ts'
import { countSegment } from '../../audience/segments/count-segment.ts'
import type { TenantScope } from '../../resource/actor.ts'
import { type ActiveAction, readActiveActions } from '../limits/active-actions.ts'
import { readProviderLimits } from '../limits/read-provider-limits.ts'
import { readSpent } from '../limits/read-warmup.ts'
import type { ProviderLimit } from '../limits/route-limits.ts'
import { warmupName, warmupOf } from '../limits/warmup-day.ts'
import { readCalendar, type SendingCalendar } from './read-calendar.ts'
import { readRouteLimits, type RouteLimitsRow } from './read-route-limits.ts'
import { readVolumeReferences } from './read-volume-references.ts'

/** A sending that is asked about, with everything that limits it. */
export interface Sending {
  question: VolumeQuestion
  /** In milliseconds since 1970. */
  start: number
  /** It starts now, while other campaigns run. */
  isNow: boolean
  counts: { providerId: number; name: string; count: number }[]
  calendar: SendingCalendar
  /** Its mail class, the overflow class of this, and so on. */
  routes: RouteLimitsRow[]
  /** Routes of the client's running campaigns. */
  running: RouteLimitsRow[]
  providers: ProviderLimit[]
  actions: ActiveAction[]
  /** Emails sent today by warm-ups, by bucket name. */
  spent: ReadonlyMap<string, number>
}

/**
 * Reads what a calculation needs.
 *
 * @throws EmmaError `invalid` with each field that names no record of the client
 */
export async function readSending(db: Db, scope: TenantScope, question: VolumeQuestion): Promise<Sending> {
  const { clientId, providers: names } = await readVolumeReferences(db, scope, question)
  const { startdate, quiet_from, quiet_to } = question
  const now = Date.now()
  const start = Math.max(now, startdate === null ? now : Date.parse(startdate))
  const domainId = question.domain_id ?? null
  const quiet = { from: quiet_from, to: quiet_to }
  const calendar = await readCalendar(db, { clientId, domainId, start: new Date(start), quiet })
  const route = { mailclassId: question.mailclass_id ?? null, espId: question.esp_id ?? null }
  const { asked, running } = await readRouteLimits(db, clientId, [route])
  const routes = asked.flat()
  return {
    question,
    start,
    isNow: start === now,
    counts: await readCounts(db, clientId, question, names),
    calendar,
    routes,
    running,
    providers: await readProviderLimits(db),
    actions: await readActiveActions(db),
    spent: calendar.ahead === 0 ? await readSpent(db, bucketsToday(calendar, routes)) : new Map(),
  }
}

async function readCounts(
  db: Db,
  clientId: number,
  { list_id, by_provider, volume = 0, startdate, ...question }: VolumeQuestion,
  names: ReadonlyMap<number, string>,
): Promise<Sending['counts']> {
  if (list_id === undefined) {
    const given = by_provider ?? [{ provider_id: 0, count: volume }]
    const sums = new Map<number, number>()
    for (const { provider_id: id, count } of given) sums.set(id, (sums.get(id) ?? 0) + count)
    return [...sums].map(([providerId, count]) => ({
      providerId,
      count,
      name: names.get(providerId) ?? 'other',
    }))
  }
  const { excludes, blacklist_ids, capping_id, send_once_key, message_id } = question
  const at = startdate === null ? null : new Date(startdate)
  const counted = await countSegment(
    db,
    { clientIds: [clientId] },
    { list_id, excludes, blacklist_ids, capping_id, send_once_key, message_id, at },
  )
  return counted.by_provider.map(({ provider_id, name, count }) => ({ providerId: provider_id, name, count }))
}

function bucketsToday({ days, domain }: SendingCalendar, routes: readonly RouteLimitsRow[]): string[] {
  const date = days[0]?.date ?? ''
  const buckets = [
    domain && warmupOf(domain.bucket, { ...domain, warmup_date: date }),
    ...routes.map(row => warmupOf(warmupName('mailclass', row.client_id, row.mailclass_id), row)),
  ]
  return buckets.flatMap(bucket => bucket?.name ?? [])
}
