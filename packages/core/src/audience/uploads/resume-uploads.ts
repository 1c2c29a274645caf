import { uploadState } from '@emma/contract/resources/dataupload.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { addUndoJob } from './undo-upload.ts'
import { addUploadJob } from './upload-operations.ts'

/**
 * Queues undos again that were running when the process ended; like imports they were rolled back. Returns their
 * number.
 */
export async function resumeUndos(db: Db): Promise<number> {
  const interrupted = await db
    .selectFrom('data_upload')
    .select(['client_id', 'id'])
    .where(sql`undo ->> 'state'`, '=', 'running')
    .where('deleted_at', 'is', null)
    .execute()
  for (const upload of interrupted) await addUndoJob(db, upload)
  return interrupted.length
}

/**
 * Queues imports again that were running when the process ended, whose transaction was rolled back. Imports that
 * another machine is running hold a lock and are not run twice. Returns their number.
 */
export async function resumeUploads(db: Db): Promise<number> {
  const interrupted = await db
    .selectFrom('data_upload')
    .select(['client_id', 'id'])
    .where('status', '=', uploadState.running)
    .where('deleted_at', 'is', null)
    .execute()
  for (const upload of interrupted) await addUploadJob(db, upload)
  return interrupted.length
}

/**
 * Removes the references to error files of imports that ended before a time; the files themselves are deleted by the
 * caller.
 */
export async function forgetErrorFiles(db: Db, finishedBefore: Date): Promise<void> {
  await db
    .updateTable('data_upload')
    .set({ error_file: null })
    .where('error_file', 'is not', null)
    .where('finished_at', '<', finishedBefore.toISOString())
    .execute()
}
