import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What EMMA keeps in the data folder, with its modes. The database closes its own folder. */
const contents: readonly (readonly [name: string, mode: number])[] = [
  ['hits', 0o700],
  ['run', 0o700],
  ['testbed', 0o700],
  ['uploads', 0o700],
  ['secret.key', 0o600],
]

/** Makes the data folder where it is missing, with the folders above it. */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return
  makeDataFolder(dirname(folder))
  mkdirSync(folder)
  chmodSync(folder, folderMode())
}

/**
 * Takes the rights of other users of this machine away from the data folder and what EMMA keeps in it, also where an earlier
 * version left them. Leaves alone what belongs to another user, and folders that many share (the sticky bit: /tmp).
 */
export function closeDataFolder(folder: string): void {
  for (const { path, mode } of pathsOf(folder)) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found || found.uid !== process.getuid?.() || (found.mode & 0o1000) !== 0) continue
    if (isWider(found.mode, mode)) chmodSync(path, found.mode & mode)
  }
}

/** Paths of the data folder that other users of this machine may enter or read. */
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

/** Under root the database runs as another user, who passes through the folder and lists nothing. */
function folderMode(): number {
  return process.getuid?.() === 0 ? 0o711 : 0o700
}

function isWider(mode: number, wanted: number): boolean {
  return (mode & 0o777 & ~wanted) !== 0
}
