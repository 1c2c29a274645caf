import { mailclass } from '@emma/contract/resources/mailclass.ts'
import type { UsableMailclass } from '@emma/contract/actions/volume.ts'
import type { Db } from '@emma/db/connection.ts'
import { readSystemSettings } from '../../platform/system-settings.ts'
import { type ActiveAction, actionsOn, readActiveActions } from '../limits/active-actions.ts'
import { readSpent } from '../limits/read-warmup.ts'
import { routeRates } from '../limits/route-limits.ts'
import { ratePerSecond } from '../limits/token-bucket.ts'
import { warmupName, warmupOf } from '../limits/warmup-day.ts'
import { transportFault } from '../transport-fault.ts'
import { readRouteLimits, type RouteLimitsRow } from './read-route-limits.ts'

/** Most mail classes of one answer. */
const MOST = 1000

/**
 * Lists the active mail classes of a type that can send now (R179): their transport is complete, and a route of them
 * is neither in quarantine nor at the end of its warm-up day.
 */
export async function listUsableMailclasses(
  db: Db,
  clientId: number,
  type: UsableMailclass['type'],
): Promise<UsableMailclass[]> {
  const found = await db
    .selectFrom('mailclass')
    .select(['mailclass_id', 'name', 'description', 'type', 'transport', 'smtp_host', 'login_ids'])
    .where('client_id', '=', clientId)
    .where('type', '=', type)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('mailclass_id')
    .limit(MOST)
    .execute()
  const { real_delivery } = await readSystemSettings(db)
  const rows = found.filter(row => transportFault(row, real_delivery) === null)
  const routes = await readRouteLimits(
    db,
    clientId,
    rows.map(row => ({ mailclassId: row.mailclass_id, espId: null })),
  )
  const days = routes.asked.flat().flatMap(route => warmupToday(route)?.name ?? [])
  const state = {
    running: routes.running,
    actions: await readActiveActions(db),
    spent: await readSpent(db, days),
  }
  return rows.flatMap((row, index) => {
    const capacity = capacityOf(routes.asked[index] ?? [], state)
    if (!capacity) return []
    const { mailclass_id, name, description } = row
    const transport = mailclass.fields.transport.parse(row.transport)
    return [{ mailclass_id, name, description, type, transport, ...capacity }]
  })
}

interface State {
  running: readonly RouteLimitsRow[]
  actions: readonly ActiveAction[]
  /** Emails of warm-up days, by bucket name. */
  spent: ReadonlyMap<string, number>
}

type Capacity = Pick<UsableMailclass, 'per_hour' | 'left_today' | 'running' | 'capacity' | 'overflow'>

/** Capacity of the first open route, null if all are closed. */
function capacityOf(routes: readonly RouteLimitsRow[], { running, actions, spent }: State): Capacity | null {
  const states = routes.map(route => ({ route, left: leftToday(route, spent) }))
  const open = states.find(
    ({ route, left }) => left !== 0 && actionsOn(route, actions).quarantines.length === 0,
  )
  if (!open) return null
  const { route, left } = open
  const rates = routeRates(route, [...routes, ...running]).map(({ rate }) => ratePerSecond(rate) * 3600)
  const perHour = rates.length === 0 ? null : Math.min(...rates)
  const users = running.filter(({ mailclass_id }) => mailclass_id === route.mailclass_id)
  const campaigns = new Set(users.map(({ campagne_id }) => campagne_id)).size
  // The engine divides a limit evenly.
  const share = perHour === null ? null : Math.ceil(perHour / (campaigns + 1))
  const limits = [share, left].filter(limit => limit !== null)
  return {
    per_hour: perHour,
    left_today: left,
    running: campaigns,
    capacity: limits.length === 0 ? null : Math.min(...limits),
    overflow: route === routes[0] ? null : route.name,
  }
}

function warmupToday(row: RouteLimitsRow) {
  return warmupOf(warmupName('mailclass', row.client_id, row.mailclass_id), row)
}

/** Emails that the warm-up allows today; null: no limit. */
function leftToday(row: RouteLimitsRow, spent: State['spent']): number | null {
  const bucket = warmupToday(row)
  return bucket && Math.max(0, bucket.volume - (spent.get(bucket.name) ?? 0))
}
