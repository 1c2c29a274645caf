import type { Pool, Db } from '@emma/db/connection.ts'
import type { Logger } from './logger.ts'

/** What a job works with. `signal`: the program ends, so give up what can be begun anew. */
export interface JobContext {
  db: Db
  pool: Pool
  logger: Logger
  signal: AbortSignal
}

/** Work in the background; what it throws is logged, and tried again later. Payloads are parsed by the task. */
export type JobTask = (payload: unknown, context: JobContext) => Promise<void>
