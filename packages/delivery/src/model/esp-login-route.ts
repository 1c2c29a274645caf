import { limitsOverLogin } from '@emma/core/deliverability/limits/route-limits.ts'
import type { RouteRow } from '../2-claim/sending-routes.ts'
import type { MailclassRow } from './mailclass-row.ts'

/** Applies a campaign's own login (`esp_id`) to its route: limits as in `limitsOverLogin`, and no relay headers. */
export function applyEspLogin(row: RouteRow & { has_class: boolean }): RouteRow {
  return asEspRoute(limitsOverLogin(row))
}

/** A mail class that sends over its `logins` only. */
export function asEspRoute<R extends MailclassRow>(row: R): R {
  return { ...row, transport: 'esp', smtp_username: null, send_ip: null, mta_headers: [], source_ips: [] }
}
