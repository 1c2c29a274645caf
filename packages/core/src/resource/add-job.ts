import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { fault } from '@emma/contract/faults.ts'

/** Payloads of the jobs that operations add, by task. */
interface JobPayloads {
  import_upload: { client_id: number; id: number }
  undo_upload: { client_id: number; id: number }
}

/**
 * Adds a job in the caller's transaction; it starts after the commit. Tasks are in apps/server/src/jobs. Replaces a job
 * with the same key that has not started.
 *
 * @throws EmmaError `conflict` when no jobs role has ever run on this database
 */
export async function addJob<T extends keyof JobPayloads>(
  db: Db,
  task: T,
  payload: JobPayloads[T],
  key: string,
): Promise<void> {
  try {
    await sql`select graphile_worker.add_job(
      identifier => ${task}::text, payload => ${JSON.stringify(payload)}::json,
      job_key => ${key}::text, max_attempts => 3)`.execute(db)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === '3F000' || error.code === '42883'))
      throw new EmmaError('conflict', fault('refusal.no_jobs'))
    throw error
  }
}
