import { join } from 'node:path'
import type { Config } from './config.ts'

/** Folder of uploaded files and their error files, not served over HTTP. */
export function uploadFolder(config: Config): string {
  return join(config.dataFolder, 'uploads')
}
