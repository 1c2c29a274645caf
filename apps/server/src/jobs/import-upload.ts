import { addUndoJob, runUndo } from '@emma/core/audience/upload/undo-upload.ts'
import { addUploadJob } from '@emma/core/audience/upload/upload-operations.ts'
import { runUpload } from '@emma/core/audience/upload/run-upload.ts'
import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { JobTask } from '../job-task.ts'
import { uploadFolder } from '../upload-folder.ts'

const payload = z.object({ client_id: z.int(), id: z.int() })

/** Imports an uploaded file. */
export function importUpload(config: Config): JobTask {
  return async (input, { sql, pool, signal }) => {
    const { client_id, id } = payload.parse(input)
    await runUpload({ sql, pool, folder: uploadFolder(config), signal }, client_id, id)
  }
}

/** Takes an import back. */
export const undoImport: JobTask = async (input, { sql, pool, signal }) => {
  const { client_id, id } = payload.parse(input)
  await runUndo({ sql, pool, signal }, client_id, id)
}

/** Undos that were running when the program ended were rolled back, as imports are: they begin again. */
export async function resumeUndos(sql: Sql): Promise<number> {
  const interrupted = await sql
    .selectFrom('data_upload')
    .select(['client_id', 'id'])
    .where(raw`undo ->> 'state'`, '=', 'running')
    .where('deleted_at', 'is', null)
    .execute()
  for (const upload of interrupted) await addUndoJob(sql, upload)
  return interrupted.length
}

/**
 * Imports that were running when the program ended have left nothing behind (their transaction was never committed):
 * they begin anew. Those that another machine works on at this moment are held by its lock and pass by.
 */
export async function resumeUploads(sql: Sql): Promise<number> {
  const interrupted = await sql
    .selectFrom('data_upload')
    .select(['client_id', 'id'])
    .where('status', '=', 2)
    .where('deleted_at', 'is', null)
    .execute()
  for (const upload of interrupted) await addUploadJob(sql, upload)
  return interrupted.length
}
