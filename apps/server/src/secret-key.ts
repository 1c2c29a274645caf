import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from './data-folder.ts'

/** Makes the 32-byte key for one purpose ("access tokens", "database" …): the same name gives the same key. */
export type DeriveKey = (name: string) => Buffer

/** Where the secret is kept when it is not in the environment. */
export function secretFile(dataFolder: string): string {
  return join(dataFolder, 'secret.key')
}

/**
 * This installation's secret: the given one (EMMA_SECRET), or the content of `secret.key` in the data folder, made up
 * on the first start. Nothing uses it directly: keys for each purpose are derived from it (HKDF, RFC 5869), so that
 * one that leaks does not open the others.
 *
 * @throws the file system's error when the file can be neither read nor made
 */
export function openSecret(dataFolder: string, given?: string): DeriveKey {
  makeDataFolder(dataFolder)
  const secret = given ?? readOrCreate(secretFile(dataFolder))
  return name => Buffer.from(hkdfSync('sha256', secret, 'emma', name, 32))
}

function readOrCreate(file: string): string {
  if (!existsSync(file)) create(file)
  return readFileSync(file, 'utf8').trim()
}

/** Written aside and linked: of two programs starting at once, one key wins and neither reads half of one. */
function create(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}
