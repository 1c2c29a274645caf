import { refreshMemberTableStats } from '@emma/core/audience/datasource-stats.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'

/** Every minute: the counters of datasources whose people something happened to since they were last counted. */
export async function countDatasources(sql: Sql): Promise<void> {
  const due = await raw<{ client_id: number; member_table_id: number }>`
    select t.client_id, t.member_table_id from member_table t
    where t.deleted_at is null and exists (
      select from event e
      where e.member_table_id = t.member_table_id and e.client_id = t.client_id
        and e.type in ('bounce', 'complaint', 'unsubscribe', 'join')
        and e.ts > coalesce(t.stats_at, '-infinity') - interval '1 minute')`.execute(sql)
  for (const { client_id, member_table_id } of due.rows)
    await refreshMemberTableStats(sql, client_id, member_table_id)
}

/** Every hour: partitions of the event log for the months to come, and what is over is cleared away. */
export async function keepHouse(sql: Sql): Promise<void> {
  await raw`select ensure_event_partitions(current_date, 4)`.execute(sql)
  await raw`delete from session where expires_at < now() - interval '1 day'`.execute(sql)
  await raw`delete from password_reset where expires_at < now() - interval '1 day'`.execute(sql)
  await raw`delete from role_heartbeat where seen_at < now() - interval '1 day'`.execute(sql)
}
