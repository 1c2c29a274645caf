import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Hands work to the jobs role, in the transaction of `sql`: it begins when that commits. Tasks are in
 * apps/server/src/jobs. A job with the same key that has not begun is replaced.
 *
 * @throws EmmaError `conflict` when no jobs role has ever run on this database
 */
export async function addJob(
  db: Db,
  task: string,
  payload: Record<string, unknown>,
  key: string,
): Promise<void> {
  try {
    await sql`select graphile_worker.add_job(
      identifier => ${task}::text, payload => ${JSON.stringify(payload)}::json,
      job_key => ${key}::text, max_attempts => 3)`.execute(db)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === '3F000' || error.code === '42883'))
      throw new EmmaError(
        'conflict',
        'The jobs of this installation have not been started yet; try again in a moment',
      )
    throw error
  }
}
