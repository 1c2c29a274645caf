import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFolderTaken } from '@emma/db/server-folder.ts'
import type { Logger } from '../logger.ts'
import { DRAIN_LIMIT } from './drain-limit.ts'

/** Milliseconds until a stopping program, or one whose parent died, is marked as such. */
const NOTICE_TIME = 3_000

/** Roles, then the database's last checkpoint. */
const STOP_TIME = DRAIN_LIMIT + 15_000

/**
 * Waits while an earlier program on this data folder is stopping, so that restarts need no delay.
 * @param databaseFolder of the embedded server
 * @returns false if a program runs there that is not stopping
 */
export async function waitForEarlierProgram(
  dataFolder: string,
  databaseFolder: string,
  logger: Logger,
): Promise<boolean> {
  const started = Date.now()
  for (let turn = 0; isFolderTaken(databaseFolder); turn++) {
    const timeoutMs = existsSync(markOf(dataFolder)) ? STOP_TIME : NOTICE_TIME
    if (Date.now() - started > timeoutMs) return false
    if (turn === 0)
      logger.info(`Another EMMA is running on ${dataFolder}; waiting for it in case it is stopping`)
    await sleep(100)
  }
  return true
}

/** Marks this program as stopping, for its successor. */
export function markStopping(dataFolder: string): void {
  mkdirSync(dirname(markOf(dataFolder)), { recursive: true })
  writeFileSync(markOf(dataFolder), '')
}

export function unmarkStopping(dataFolder: string): void {
  rmSync(markOf(dataFolder), { force: true })
}

function markOf(dataFolder: string): string {
  return join(dataFolder, 'run', 'stopping')
}
