import { DatabaseSync } from 'node:sqlite'

export type FolderLock = { release(): void }

/**
 * Takes the lock file at `path` for this process, or returns null if another process holds it.
 *
 * Node has no file locks; SQLite's exclusive transaction is one, on every platform. The kernel releases it when the
 * process ends in any way, so a lock is never stale.
 * @throws the file system's error if the file cannot be opened
 */
export function lockFile(path: string): FolderLock | null {
  const lock = new DatabaseSync(path)
  try {
    // Only the lock is needed: no journal file beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => lock.isOpen && lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof Error && error.message.includes('locked')) return null
    throw error
  }
}
