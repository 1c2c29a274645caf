import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** EMMA's files in the data folder, with their modes. The database sets the mode of its own folder. */
const contents: readonly (readonly [name: string, mode: number])[] = [
  ['files', 0o700],
  ['hits', 0o700],
  ['run', 0o700],
  ['testbed', 0o700],
  ['uploads', 0o700],
  ['secret.key', 0o600],
]

/** Creates the data folder and its parent folders if missing. */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return
  makeDataFolder(dirname(folder))
  mkdirSync(folder)
  chmodSync(folder, folderMode())
}

/**
 * Removes the permissions of other users from the data folder and EMMA's files in it, also those of earlier versions.
 * Skips files of other users, and shared folders (sticky bit: /tmp).
 */
export function closeDataFolder(folder: string): void {
  for (const { path, mode } of pathsOf(folder)) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found || found.uid !== process.getuid?.() || (found.mode & 0o1000) !== 0) continue
    if (isWider(found.mode, mode)) chmodSync(path, found.mode & mode)
  }
}

/** Returns the paths of the data folder that other users may enter or read. */
export function findOpenPaths(folder: string): string[] {
  if (process.platform === 'win32') return []
  return pathsOf(folder)
    .filter(({ path, mode }) => isWider(statSync(path, { throwIfNoEntry: false })?.mode ?? 0, mode))
    .map(({ path }) => path)
}

function pathsOf(folder: string): { path: string; mode: number }[] {
  return [
    { path: folder, mode: folderMode() },
    ...contents.map(([name, mode]) => ({ path: join(folder, name), mode })),
  ]
}

/** Under root the database runs as another user, which needs to traverse the folder. */
function folderMode(): number {
  return process.getuid?.() === 0 ? 0o711 : 0o700
}

function isWider(mode: number, wanted: number): boolean {
  return (mode & 0o777 & ~wanted) !== 0
}
