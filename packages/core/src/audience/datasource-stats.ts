import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { isActive, membersTable, readDatasource } from './datasource.ts'

/**
 * Recounts a datasource's figures from its members: one pass over the table. `stats_active` counts who may get mail;
 * the others may overlap (one who unsubscribed may have complained as well).
 */
export async function refreshMemberTableStats(
  sql: Sql,
  clientId: number,
  memberTableId: number,
): Promise<void> {
  const source = await readDatasource(sql, { clientIds: [clientId] }, memberTableId)
  await raw`
    with counted as (
      select
        count(*) as total,
        count(*) filter (where ${isActive(source)}) as active,
        count(*) filter (where m.dateunjoin is not null) as unsubscribed,
        count(*) filter (where m.hardbounced_at is not null) as hardbounce,
        count(*) filter (where m.softbounce_count > 0) as softbounce,
        count(*) filter (where m.complained_at is not null) as complaint,
        count(*) filter (where m.doi_state = 'pending') as pending
      from ${membersTable(memberTableId)} as m
      where m.client_id = ${clientId}
    )
    update member_table set
      stats_total = counted.total, stats_active = counted.active, stats_unsubscribed = counted.unsubscribed,
      stats_hardbounce = counted.hardbounce, stats_softbounce = counted.softbounce,
      stats_complaint = counted.complaint, stats_pending = counted.pending, stats_at = now()
    from counted
    where client_id = ${clientId} and member_table_id = ${memberTableId}`.execute(sql)
}

/** A recount of this many members takes some milliseconds: done at once after each change. */
const SMALL = 20_000

/** After the change of single members: small datasources are recounted at once, large ones by the next job. */
export async function refreshSmallStats(sql: Sql, clientId: number, memberTableId: number): Promise<void> {
  const known = await sql
    .selectFrom('member_table')
    .select('stats_total')
    .where('client_id', '=', clientId)
    .where('member_table_id', '=', memberTableId)
    .executeTakeFirst()
  if (known && known.stats_total <= SMALL) await refreshMemberTableStats(sql, clientId, memberTableId)
}
