import { join } from 'node:path'
import type { Config } from './config.ts'

/** Where uploaded files and their error files are, out of reach of the web. */
export function uploadFolder(config: Config): string {
  return join(config.dataFolder, 'uploads')
}
