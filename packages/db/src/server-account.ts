import { spawnSync } from 'node:child_process'
import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedServerError } from './server-error.ts'

/** User that runs the server: another user of this machine, or null for the current one. */
export type ServerAccount = { name: string; uid: number; gid: number } | null

/**
 * PostgreSQL refuses to run as root. Under root it runs as the owner of an existing cluster, otherwise as the user
 * `postgres`, which is created if missing; otherwise as the current user.
 * @throws EmbeddedServerError if there is no such user and none can be created
 */
export function serverAccount(cluster: string): ServerAccount {
  if (process.getuid?.() !== 0) return null
  return ownerOf(cluster) ?? findUser('postgres') ?? createPostgresUser()
}

/** Changes the owner of `path` and everything below it to the account; nothing to do for the current user. */
export function giveTo(account: ServerAccount, path: string): void {
  if (!account) return
  lchownSync(path, account.uid, account.gid)
  if (!statSync(path).isDirectory()) return
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid)
}

/** Returns the nearest folder on the way to `path` that the account may not traverse; undefined if it has access. */
export function closedFolder(account: ServerAccount, path: string): string | undefined {
  if (!account) return undefined
  return ancestors(resolve(path)).find(folder => !mayPass(account, folder))
}

function mayPass(account: { uid: number; gid: number }, folder: string): boolean {
  const { uid, gid, mode } = statSync(folder)
  if (uid === account.uid) return (mode & 0o100) !== 0
  if (gid === account.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

/** From the root down, without `path` itself. */
function ancestors(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...ancestors(parent), parent]
}

/** An existing cluster of an ordinary user, for example from an earlier start without root. */
function ownerOf(cluster: string): ServerAccount {
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (!owner || owner.uid === 0) return null
  return { name: userById(owner.uid) ?? `number ${owner.uid}`, uid: owner.uid, gid: owner.gid }
}

function findUser(name: string): ServerAccount {
  const uid = idOf(['-u', name])
  const gid = idOf(['-g', name])
  return uid === undefined || gid === undefined ? null : { name, uid, gid }
}

function idOf(args: string[]): number | undefined {
  const id = spawnSync('id', args, { encoding: 'utf8' })
  return id.status === 0 ? Number(id.stdout) : undefined
}

function userById(uid: number): string | undefined {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find(entry => entry.split(':')[2] === String(uid))
    return line?.split(':')[0]
  } catch {
    return undefined
  }
}

function createPostgresUser(): ServerAccount {
  // shadow-utils (most distributions), then BusyBox (Alpine and small images)
  const attempts = [
    [['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']],
    [
      ['addgroup', '-S', 'postgres'],
      ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', '-G', 'postgres', 'postgres'],
    ],
  ]
  for (const commands of attempts) {
    for (const [command = '', ...args] of commands) spawnSync(command, args)
    const user = findUser('postgres')
    if (user) return user
  }
  throw new EmbeddedServerError(
    'PostgreSQL refuses to run as root, and this machine has no user "postgres", nor useradd or adduser to create it. ' +
      'Create such a user, or start EMMA as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}
