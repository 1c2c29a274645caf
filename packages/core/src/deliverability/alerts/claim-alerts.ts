import type { AlertMetric, AlertOperator } from '@emma/contract/resources/alert.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** An alert whose figure is to be read. */
export interface ClaimedAlert {
  clientId: number
  id: number
  revision: number
  name: string
  metric: AlertMetric
  operator: AlertOperator
  threshold: number
  /** Minutes. */
  window: number
  memory: Record<string, { progress: number; since: string }> | null
}

/** An alert is read a hundred times in its window, but not more than once a minute. */
const PAUSE = sql`make_interval(secs => greatest(60, "window" * 60 / 100))`

/** Claims due alerts of active clients, those waiting longest first. Several machines may do so. */
export async function claimAlerts(db: Db, limit: number): Promise<ClaimedAlert[]> {
  const { rows } = await sql<ClaimedAlert>`
    with claimed as (
      select due.client_id, due.id from alert due
      join client c on c.client_id = due.client_id and c.is_active and c.deleted_at is null
      where due.active and due.deleted_at is null and due.next_check <= now()
      order by due.next_check limit ${limit} for update of due skip locked
    )
    update alert a set next_check = now() + ${PAUSE}
    from claimed
    where a.client_id = claimed.client_id and a.id = claimed.id
    returning a.client_id as "clientId", a.id, a.revision, a.name, a.metric, a.operator, a.threshold, a."window",
      a.memory`.execute(db)
  return rows
}
