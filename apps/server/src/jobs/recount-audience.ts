import { refreshListCount } from '@emma/core/audience/segments/list-operations.ts'
import { refreshMemberTableStats } from '@emma/core/audience/datasources/datasource-stats.ts'
import { sql } from 'kysely'
import type { JobTask } from '../job-task.ts'

/**
 * Oldest first, a few at a time: datasources not recounted for ten minutes; segments two minutes after their datasource
 * was, and every hour anyway. Every screen that shows a segment's figure says as of when it is.
 */
export const recountAudience: JobTask = async (_payload, { db, signal, logger }) => {
  const tables = await db
    .selectFrom('member_table')
    .select(['client_id', 'member_table_id'])
    .where('deleted_at', 'is', null)
    .where(eb =>
      eb.or([eb('stats_at', 'is', null), eb('stats_at', '<', sql<string>`now() - interval '10 minutes'`)]),
    )
    .orderBy('stats_at', eb => eb.asc().nullsFirst())
    .limit(20)
    .execute()
  for (const table of tables) {
    if (signal.aborted) return
    await refreshMemberTableStats(db, table.client_id, table.member_table_id)
  }
  const segments = await db
    .selectFrom('list')
    .innerJoin('member_table', join =>
      join
        .onRef('member_table.client_id', '=', 'list.client_id')
        .onRef('member_table.member_table_id', '=', 'list.member_table_id'),
    )
    .select(['list.client_id', 'list.list_id'])
    .where('list.deleted_at', 'is', null)
    .where(
      sql<boolean>`list.counted_at is null or list.counted_at < now() - interval '1 hour'
        or list.counted_at < least(member_table.stats_at, now() - interval '2 minutes')`,
    )
    .orderBy('list.counted_at', eb => eb.asc().nullsFirst())
    .limit(20)
    .execute()
  for (const segment of segments) {
    if (signal.aborted) return
    await refreshListCount(db, { clientIds: [segment.client_id] }, segment.list_id).catch((error: unknown) =>
      logger.warn({ err: error, list_id: segment.list_id }, 'A segment could not be counted'),
    )
  }
}
