import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { RouteLimitFields } from './route-limits.ts'

/** An active back-off or quarantine, which a reply rule began. */
export interface ActiveAction {
  id: number
  action: string
  client_id: number
  mailclass_id: number | null
  provider_id: number | null
  send_ip: string | null
  /** ISO 8601. */
  acted_at: string
  until: string
}

/** Active actions of the reply rules that stop sending for a while. */
export async function readActiveActions(db: Db): Promise<ActiveAction[]> {
  const { rows } = await sql<ActiveAction>`
    select id, action, client_id, mailclass_id, provider_id, send_ip, acted_at, until from scd_action
    where until > now() and undone_at is null and acted_at is not null`.execute(db)
  return rows
}

/** What stops a route: quarantines of its mail class or its IP, and back-offs of its mail class from receivers. */
export function actionsOn(
  {
    client_id: clientId,
    mailclass_id,
    send_ip,
  }: Pick<RouteLimitFields, 'client_id' | 'mailclass_id' | 'send_ip'>,
  actions: readonly ActiveAction[],
): { quarantines: ActiveAction[]; backOffs: (ActiveAction & { provider_id: number })[] } {
  const own = actions.filter(
    one =>
      one.client_id === clientId &&
      (one.mailclass_id === mailclass_id ||
        (one.action === 'quarantine_ip' && send_ip !== null && one.send_ip === send_ip)),
  )
  return {
    quarantines: own.filter(one => one.action === 'quarantine_ip'),
    backOffs: own.flatMap(one =>
      one.action === 'backoff_provider' && one.provider_id !== null
        ? [{ ...one, provider_id: one.provider_id }]
        : [],
    ),
  }
}
