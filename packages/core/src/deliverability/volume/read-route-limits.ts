import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { limitsOverLogin, type RouteLimitFields } from '../limits/route-limits.ts'
import { selectRoutes } from '../limits/select-routes.ts'

/** A sending route with the fields that its limits need. */
export interface RouteLimitsRow extends RouteLimitFields {
  /** 0 or below: a sending that is asked about. */
  campagne_id: number
  name: string | null
  active: boolean | null
  source_ips: { address: string }[] | null
}

/** A sending that is asked about. */
export interface AskedRoute {
  mailclassId: number | null
  espId: number | null
}

const columns = sql`m.name, m.active, m.source_ips, m.transport, m.smtp_host, m.smtp_port, m.smtp_username, m.send_ip,
  m.max_connections, m.throttle, m.throttle_unit, m.login_mails, m.login_unit, m.login_connections, m.ip_mails,
  m.ip_unit, m.ip_connections, m.provider_limits, m.warmup_volumes`

/** Routes of a client: one list per sending, in the order of use, and those of its running campaigns. */
export async function readRouteLimits(
  db: Db,
  clientId: number,
  asked: readonly AskedRoute[],
): Promise<{ asked: RouteLimitsRow[][]; running: RouteLimitsRow[] }> {
  const campaigns: RawBuilder<unknown> = sql`
    select ${clientId}::bigint as client_id, -position as campagne_id, 1 as ctype, mailclass_id, esp_id
    from unnest(${asked.map(one => one.mailclassId)}::bigint[], ${asked.map(one => one.espId)}::bigint[])
      with ordinality as a (mailclass_id, esp_id, position)
    union all
    select client_id, campagne_id, ctype, mailclass_id, esp_id from campaign
    where client_id = ${clientId} and valid = ${campaignState.running} and expanded_at is not null
      and deleted_at is null`
  const { rows } = await selectRoutes(campaigns, columns)
    .$castTo<RouteLimitsRow & { has_class: boolean }>()
    .execute(db)
  const routes = rows.map(row => (row.esp_id === null ? row : limitsOverLogin(row)))
  const own = Map.groupBy(routes, row => row.campagne_id)
  return {
    asked: asked.map((_, index) => distinct(own.get(-index - 1) ?? [])),
    running: routes.filter(row => row.campagne_id > 0),
  }
}

/** Mail classes that overflow into each other: each once. */
function distinct(routes: readonly RouteLimitsRow[]): RouteLimitsRow[] {
  const seen = new Set<number>()
  return routes.filter(({ mailclass_id }) => !seen.has(mailclass_id) && seen.add(mailclass_id))
}
