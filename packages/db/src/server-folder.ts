import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lchownSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type FolderLock, lockFile } from './folder-lock.ts'
import { closedFolder, giveTo, type ServerAccount } from './server-account.ts'
import { SHARED_HOME } from './server-binaries.ts'
import { EmbeddedServerError } from './server-error.ts'
import type { ServerLog } from './server-log.ts'

/**
 * Creates the server's folder, owned by the account, and returns its real path. An inaccessible folder (under root,
 * below a closed home folder) becomes a link to one in SHARED_HOME, which is logged.
 * @throws EmbeddedServerError if the folder belongs to another user or is inaccessible
 */
export function prepareFolder(folder: string, account: ServerAccount, log: ServerLog): string {
  makeParents(dirname(resolve(folder)), account)
  if (!existsSync(folder)) makeFolder(folder, account, log)
  const real = realpathSync(folder)
  const closed = closedFolder(account, real)
  if (closed)
    throw new EmbeddedServerError(
      `The database in ${real} is out of reach: it runs as the user "${account?.name}", who may not enter ${closed}. ` +
        `Move the data folder to a place every user may pass through (for example ${SHARED_HOME}) and name it in ` +
        `EMMA_DATA, or allow passing through with: chmod o+x ${closed}`,
    )
  own(real, account)
  return real
}

/**
 * Locks the folder until released or until this process exits.
 * @throws EmbeddedServerError if another program has locked it
 */
export function takeFolder(folder: string, account: ServerAccount = null): FolderLock {
  const lock = openLock(folder)
  if (lock) {
    giveTo(account, join(folder, 'lock'))
    return lock
  }
  throw new EmbeddedServerError(
    `Another EMMA is running on the data folder ${dirname(folder)}. Stop it first, or give this one a folder of ` +
      'its own in EMMA_DATA.',
  )
}

/** True if a program has locked the folder. */
export function isFolderTaken(folder: string): boolean {
  if (!existsSync(folder)) return false
  const lock = openLock(realpathSync(folder))
  lock?.release()
  return lock === null
}

function openLock(folder: string): FolderLock | null {
  try {
    return lockFile(join(folder, 'lock'))
  } catch (error) {
    throw foreignFolder(folder, error)
  }
}

function makeFolder(folder: string, account: ServerAccount, log: ServerLog): void {
  const closed = closedFolder(account, join(realpathSync(dirname(resolve(folder))), 'postgres'))
  if (closed) return linkToSharedHome(folder, closed, account, log)
  mkdirSync(folder, { mode: 0o700 })
}

function linkToSharedHome(folder: string, closed: string, account: ServerAccount, log: ServerLog): void {
  // A new name each time: deleting the data folder to start over must not find the old database.
  const home = join(SHARED_HOME, `data-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 })
    chmodSync(SHARED_HOME, 0o755)
    rmSync(folder, { force: true })
    symlinkSync(home, folder)
  } catch (error) {
    throw new EmbeddedServerError(
      `The database runs as the user "${account?.name}", who may not enter ${closed}, and ${home} cannot be used ` +
        `instead (${String(error)}). Name a data folder within that user's reach in EMMA_DATA, or start EMMA as an ` +
        'ordinary user.',
      { cause: error },
    )
  }
  log.warn(
    `Database: the user "${account?.name}" may not enter ${closed}, so the database lives in ${home}; ${folder} is a ` +
      'link to it. To have everything in one place, set EMMA_DATA to a folder outside of closed homes.',
  )
}

/** Created parent folders must be accessible for the account; a umask of 077 would close them. */
function makeParents(folder: string, account: ServerAccount): void {
  if (existsSync(folder)) return
  makeParents(dirname(folder), account)
  mkdirSync(folder)
  if (account) chmodSync(folder, 0o755)
}

function own(folder: string, account: ServerAccount): void {
  try {
    if (account) lchownSync(folder, account.uid, account.gid)
    chmodSync(folder, 0o700)
  } catch (error) {
    throw foreignFolder(folder, error)
  }
}

function foreignFolder(folder: string, cause: unknown): EmbeddedServerError {
  return new EmbeddedServerError(
    `The database folder ${folder} cannot be used (${String(cause)}). It probably belongs to another user than the ` +
      `one starting EMMA: start EMMA as that user or as root, or hand the folder over with: ` +
      `chown -R ${userInfo().username} ${folder}`,
    { cause },
  )
}
