import { DatabaseSync } from 'node:sqlite'

export type FolderLock = { release(): void }

/**
 * Takes the lock file at `path` for this process, or returns null when another holds it.
 *
 * Node has no file locks of its own; SQLite's exclusive transaction is one, on every platform. The kernel lets go
 * of it when the process ends, however it ends, so a lock can never be stale.
 *
 * @throws the file system's error when the file cannot be opened
 */
export function lockFile(path: string): FolderLock | null {
  const lock = new DatabaseSync(path)
  try {
    // The lock alone is wanted: no journal file beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => lock.isOpen && lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof Error && error.message.includes('locked')) return null
    throw error
  }
}
