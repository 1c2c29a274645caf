import { purgeFiles as purge } from '@emma/core/files/read-files.ts'
import type { Config } from '../config.ts'
import { openFileStorage } from '../files/open-file-storage.ts'
import type { JobTask } from '../job-task.ts'

/** Deletes files that have been in the bin long enough and that no email uses. */
export function purgeFiles(config: Config): JobTask {
  const storage = openFileStorage(config)
  return async (_payload, { db }) => {
    await purge(db, storage)
  }
}
