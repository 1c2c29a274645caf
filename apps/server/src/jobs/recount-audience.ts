import {
  listStaleDatasources,
  refreshMemberTableStats,
} from '@emma/core/audience/datasources/datasource-stats.ts'
import { listStaleSegments, refreshListCount } from '@emma/core/audience/segments/list-operations.ts'
import type { JobTask } from '../job-task.ts'

/** Recounts datasources and segments, a few at a time. Screens show the time of a segment's count. */
export const recountAudience: JobTask = async (_payload, { db, signal, logger }) => {
  for (const table of await listStaleDatasources(db)) {
    if (signal.aborted) return
    await refreshMemberTableStats(db, table.client_id, table.member_table_id)
  }
  for (const segment of await listStaleSegments(db)) {
    if (signal.aborted) return
    await refreshListCount(db, { clientIds: [segment.client_id] }, segment.list_id).catch((error: unknown) =>
      logger.warn({ err: error, list_id: segment.list_id }, 'A segment could not be counted'),
    )
  }
}
