import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetErrorFiles } from '@emma/core/audience/uploads/resume-uploads.ts'
import { cleanUndoRecords } from '@emma/core/audience/uploads/undo-upload.ts'
import type { Config } from '../config.ts'
import type { JobTask } from '../job-task.ts'
import { uploadFolder } from '../upload-folder.ts'

const DAY = 86_400_000
const KEPT_DAYS = 14

/**
 * Uploaded files are personal data: deletes files older than two weeks with the link to the error file, and undo data
 * that is not needed any more.
 */
export function cleanUploads(config: Config): JobTask {
  return async (_payload, { db }) => {
    const folder = uploadFolder(config)
    const names = await readdir(folder).catch(() => [])
    for (const name of names) {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs > KEPT_DAYS * DAY) await rm(path, { force: true })
    }
    await forgetErrorFiles(db, new Date(Date.now() - KEPT_DAYS * DAY))
    await cleanUndoRecords(db)
  }
}
