import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from './data-folder.ts'

/** Derives the 32-byte key of one purpose ("access tokens", "database" …): the same name gives the same key. */
export type DeriveKey = (name: string) => Buffer

/** Path of the stored secret, if it is not in the environment. */
export function secretFile(dataFolder: string): string {
  return join(dataFolder, 'secret.key')
}

/**
 * Opens this installation's secret: the given one (EMMA_SECRET), or `secret.key` in the data folder, generated on the
 * first start. It is only used to derive keys per purpose (HKDF, RFC 5869), so that a leaked key does not reveal the
 * others.
 * @throws the file system's error if the file can be neither read nor created
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

/**
 * Written to a temporary file and linked: if two programs start at once, one key wins and neither reads a partial
 * one.
 */
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
