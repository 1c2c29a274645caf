import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FolderLock, lockFile } from '@emma/db/folder-lock.ts'
import type { Logger } from '../logger.ts'
import { DRAIN_LIMIT } from './drain-limit.ts'

/** Locks a role to one process per data folder; null if another process runs it. Released with the process. */
export function takeRole(dataFolder: string, role: string): FolderLock | null {
  const folder = join(dataFolder, 'run')
  mkdirSync(folder, { recursive: true })
  return lockFile(join(folder, `${role}.lock`))
}

/**
 * Roles of a killed supervisor finish their work before they exit, and hold their ports and claims meanwhile.
 * @returns the roles that still run after their shutdown time: those of another running EMMA
 */
export async function waitForEarlierRoles(
  dataFolder: string,
  roles: string[],
  logger: Logger,
): Promise<string[]> {
  const deadline = Date.now() + DRAIN_LIMIT + 2_000
  for (let turn = 0; ; turn++) {
    const running = roles.filter(role => isTaken(dataFolder, role))
    if (running.length === 0 || Date.now() > deadline) return running
    if (turn === 0) logger.info(`Waiting for roles of an earlier EMMA to finish: ${running.join(', ')}`)
    await sleep(100)
  }
}

function isTaken(dataFolder: string, role: string): boolean {
  const lock = takeRole(dataFolder, role)
  lock?.release()
  return lock === null
}
