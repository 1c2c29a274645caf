import { purgePictures, removeReplaced } from '@emma/core/content/mail-pictures.ts'
import type { Config } from '../config.ts'
import { openFileStorage } from '../files/open-file-storage.ts'
import type { JobTask } from '../job-task.ts'

/** Removes pictures that were replaced, and those of templates that can no longer be restored. */
export function removePictures(config: Config): JobTask {
  const storage = openFileStorage(config)
  return async (_payload, { db }) => {
    await purgePictures(db)
    await removeReplaced(db, storage)
  }
}
