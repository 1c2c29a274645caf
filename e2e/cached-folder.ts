import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Cached folder in the system's temporary folder. Created again when one of its sources changes; deleted after a day.
 *
 * @param name of the cache
 * @param sources glob patterns from the root of the repository; test files are left out
 * @param make creates a folder, which is moved into the cache; concurrent runs share the first one
 * @param salt added to the key: other inputs of the content
 */
export async function cachedFolder(
  name: string,
  sources: readonly string[],
  make: () => Promise<string>,
  salt = '',
): Promise<string> {
  const cache = join(tmpdir(), name)
  const folder = join(cache, keyOf(sources, salt))
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  removeOld(cache)
  const created = await make()
  if (existsSync(folder)) rmSync(created, { recursive: true, force: true })
  else renameSync(created, folder)
  return folder
}

function keyOf(sources: readonly string[], salt: string): string {
  const hash = createHash('sha256').update(salt)
  for (const file of globSync(sources, { cwd: root }).sort())
    if (!/\.test\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Folders of the last 24 hours stay: another run may be using them. */
function removeOld(cache: string): void {
  const aDayAgo = Date.now() - 86_400_000
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    if (statSync(folder).mtimeMs < aDayAgo) rmSync(folder, { recursive: true, force: true })
  }
}
