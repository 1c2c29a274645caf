import type { Pool, Db } from '@emma/db/connection.ts'
import type { Logger } from './logger.ts'

/** Context of a job. `signal`: the program is stopping, so abort work that can be restarted. */
export interface JobContext {
  db: Db
  pool: Pool
  logger: Logger
  signal: AbortSignal
}

/** A background task; errors are logged, and the job is retried. Tasks parse their own payload. */
export type JobTask = (payload: unknown, context: JobContext) => Promise<void>
