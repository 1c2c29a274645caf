import { uploadState } from '@emma/contract/resources/dataupload.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { addUndoJob } from './undo-upload.ts'
import { addUploadJob } from './upload-operations.ts'

/** Undos that were running when the program ended were rolled back, as imports are: they begin again. */
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
 * Imports that were running when the program ended have left nothing behind (their transaction was never committed):
 * they begin anew. Those that another machine works on at this moment are held by its lock and pass by.
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

/** Takes the links to error files from imports that ended before a moment: the files themselves are deleted. */
export async function forgetErrorFiles(db: Db, finishedBefore: Date): Promise<void> {
  await db
    .updateTable('data_upload')
    .set({ error_file: null })
    .where('error_file', 'is not', null)
    .where('finished_at', '<', finishedBefore.toISOString())
    .execute()
}
