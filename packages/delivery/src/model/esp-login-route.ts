import type { RouteRow } from '../2-claim/sending-routes.ts'
import type { MailclassRow } from './mailclass-row.ts'

/** How a campaign without a mail class leaves over its login. */
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
 * The way of a campaign that names a login of its own (`esp_id`): the class' speed, receivers and warm-up hold, while its
 * server, IP and relay headers give way to the login's.
 */
export function applyEspLogin(row: RouteRow & { has_class: boolean }): RouteRow {
  return asEspRoute({ ...row, ...(row.has_class ? {} : WITHOUT_CLASS) })
}

/** A mail class whose way out is its `logins` alone. */
export function asEspRoute<R extends MailclassRow>(row: R): R {
  return { ...row, transport: 'esp', smtp_username: null, send_ip: null, mta_headers: [], source_ips: [] }
}
