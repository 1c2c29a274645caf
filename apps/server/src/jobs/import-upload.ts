import { addUndoJob, runUndo } from '@emma/core/audience/uploads/undo-upload.ts'
import { addUploadJob } from '@emma/core/audience/uploads/upload-operations.ts'
import { runUpload } from '@emma/core/audience/uploads/run-upload.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { JobTask } from '../job-task.ts'
import { uploadFolder } from '../upload-folder.ts'

const payload = z.object({ client_id: z.int(), id: z.int() })

/** Imports an uploaded file. */
export function importUpload(config: Config): JobTask {
  return async (input, { db, pool, signal }) => {
    const { client_id, id } = payload.parse(input)
    await runUpload({ db, pool, folder: uploadFolder(config), signal }, client_id, id)
  }
}

/** Takes an import back. */
export const undoImport: JobTask = async (input, { db, pool, signal }) => {
  const { client_id, id } = payload.parse(input)
  await runUndo({ db, pool, signal }, client_id, id)
}

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
    .where('status', '=', 2)
    .where('deleted_at', 'is', null)
    .execute()
  for (const upload of interrupted) await addUploadJob(db, upload)
  return interrupted.length
}
