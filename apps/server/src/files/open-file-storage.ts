import { join } from 'node:path'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import type { Config } from '../config.ts'
import { diskStorage } from './disk-storage.ts'
import { s3Storage } from './s3-storage.ts'

/** The bucket of the configuration, otherwise the folder `files` of the data folder. */
export function openFileStorage({ dataFolder, bucket }: Pick<Config, 'dataFolder' | 'bucket'>): FileStorage {
  return bucket ? s3Storage(bucket) : diskStorage(join(dataFolder, 'files'))
}

/** Folder of files that are being received. */
export function incomingFolder({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'files', 'incoming')
}
