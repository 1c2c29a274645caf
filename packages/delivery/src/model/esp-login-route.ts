import type { RouteRow } from '../2-claim/sending-routes.ts'
import type { MailclassRow } from './mailclass-row.ts'

/** Route of a campaign without a mail class. */
const WITHOUT_CLASS = {
  max_connections: 10,
  throttle: 0,
  throttle_unit: 'hour',
  login_mails: 0,
  login_unit: 'hour',
  login_connections: 0,
  ip_mails: 0,
  ip_unit: 'hour',
  ip_connections: 0,
  provider_limits: [],
  warmup_volumes: [],
}

/**
 * Applies a campaign's own login (`esp_id`) to its route: rate, receivers and warm-up of the class stay, while
 * server, IP and relay headers are the login's.
 */
export function applyEspLogin(row: RouteRow & { has_class: boolean }): RouteRow {
  return asEspRoute({ ...row, ...(row.has_class ? {} : WITHOUT_CLASS) })
}

/** A mail class that sends over its `logins` only. */
export function asEspRoute<R extends MailclassRow>(row: R): R {
  return { ...row, transport: 'esp', smtp_username: null, send_ip: null, mta_headers: [], source_ips: [] }
}
