import { runUndo } from '@emma/core/audience/uploads/undo-upload.ts'
import { runUpload } from '@emma/core/audience/uploads/run-upload.ts'
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

/** Undoes an import. */
export const undoImport: JobTask = async (input, { db, pool, signal }) => {
  const { client_id, id } = payload.parse(input)
  await runUndo({ db, pool, signal }, client_id, id)
}
