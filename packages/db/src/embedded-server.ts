import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { type FolderLock, lockFile } from './folder-lock.ts'
import { errorCode } from './process-info.ts'
import { closedFolder, giveTo, type ServerAccount, serverAccount } from './server-account.ts'
import { executable, findBinaries, type ServerBinaries, SHARED_HOME } from './server-binaries.ts'
import {
  clearLeftovers,
  prepareCluster,
  readPostmaster,
  serverEnvironment,
  stopProcess,
} from './server-cluster.ts'
import { EmbeddedServerError } from './server-error.ts'
import { productionSettings, type Setting } from './server-settings.ts'

export type EmbeddedServerOptions = {
  /** Folder of the server's own; made when missing. */
  folder: string
  /** From which the database passwords are made: the same secret opens the same folder again. */
  secret: string
  /** The wished port; another free one is taken when it is in use. */
  port?: number
  settings?: Setting[]
  /** Folder with initdb and postgres, instead of the ones in node_modules. */
  binaries?: string
  log?: ServerLog
  /** After a restart on another port: everything connected by the old URL must connect anew. */
  onMoved?: (url: string) => void
}

/** Where the server's news go; a pino logger is one. */
export type ServerLog = Record<'debug' | 'info' | 'warn' | 'error', (line: string) => void>

export type EmbeddedServer = {
  /** Connects as `emma`, the owner of the database `emma`: no superuser. */
  readonly url: string
  /** Connects as superuser to the database `postgres`. */
  readonly superuserUrl: string
  readonly pid: number
  stop(): Promise<void>
}

const silent: ServerLog = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Starts PostgreSQL on a folder and keeps it running: a server that dies is started again on the same port. The
 * first start makes the cluster, the user and the database `emma`. One program at a time per folder.
 *
 * @throws EmbeddedServerError, in words for an operator: in use by another EMMA, no user to run as, folder out of
 * reach, wrong secret, no binaries
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const log = options.log ?? silent
  const account = serverAccount(join(options.folder, 'cluster'))
  const folder = prepareFolder(options.folder, account, log)
  const lock = takeLock(folder, account)
  try {
    const binaries = findBinaries(account, options.binaries)
    const cluster = join(folder, 'cluster')
    for (const line of await clearLeftovers(cluster)) log.warn(`Database: ${line}`)
    const superuserPassword = passwordOf('postgres', options.secret)
    prepareCluster(cluster, account, binaries, options.settings ?? productionSettings(), superuserPassword)
    const guard = new PostmasterGuard(cluster, account, binaries, log)
    await guard.start(options.port ?? 0)
    const server = describeServer(guard, options, lock)
    try {
      await createDatabase(server.superuserUrl, passwordOf('emma', options.secret))
    } catch (error) {
      await server.stop()
      throw inWords(error)
    }
    return server
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * The URL of the server another program runs on this folder; undefined when none does.
 */
export function runningServerUrl(folder: string, secret: string): string | undefined {
  const cluster = join(folder, 'cluster')
  if (!existsSync(folder)) return undefined
  const lock = lockFile(join(realpathSync(folder), 'lock'))
  if (lock) {
    lock.release()
    return undefined
  }
  const postmaster = readPostmaster(cluster)
  return postmaster?.ready ? urlOf('emma', 'emma', postmaster.port, secret) : undefined
}

function describeServer(
  guard: PostmasterGuard,
  options: EmbeddedServerOptions,
  lock: FolderLock,
): EmbeddedServer {
  const url = () => urlOf('emma', 'emma', guard.port, options.secret)
  guard.onMoved = () => options.onMoved?.(url())
  return {
    get url() {
      return url()
    },
    get superuserUrl() {
      return urlOf('postgres', 'postgres', guard.port, options.secret)
    },
    get pid() {
      return guard.pid
    },
    async stop() {
      await guard.stop()
      lock.release()
    },
  }
}

function urlOf(user: string, database: string, port: number, secret: string): string {
  return `postgres://${user}:${passwordOf(user, secret)}@127.0.0.1:${port}/${database}`
}

/** Never stored: made anew from the secret at each start. */
function passwordOf(user: string, secret: string): string {
  return createHmac('sha256', secret).update(`database user ${user}`).digest('base64url')
}

/**
 * Makes the folder, owned by the account, and returns its real path. A folder the account cannot get to (under root,
 * below somebody's closed home) becomes a link to one in SHARED_HOME.
 */
function prepareFolder(folder: string, account: ServerAccount, log: ServerLog): string {
  makeParents(dirname(resolve(folder)), account)
  const closed = closedFolder(account, realParent(folder))
  if (!existsSync(folder)) {
    if (closed) linkToSharedHome(folder, closed, account, log)
    else mkdirSync(folder, { mode: 0o700 })
  }
  const real = realpathSync(folder)
  const stillClosed = closedFolder(account, real)
  if (stillClosed)
    throw new EmbeddedServerError(
      `The database in ${real} is out of reach: it runs as the user "${account?.name}", who may not enter ${stillClosed}. ` +
        `Move the data folder to a place every user may pass through (for example /var/lib/emma) and name it in ` +
        `EMMA_DATA, or allow passing through with: chmod o+x ${stillClosed}`,
    )
  giveFolder(account, real)
  return real
}

/** Folders made on the way must be passable for the account; a umask of 077 would close them. */
function makeParents(folder: string, account: ServerAccount): void {
  if (existsSync(folder)) return
  makeParents(dirname(folder), account)
  mkdirSync(folder)
  if (account) chmodSync(folder, 0o755)
}

function realParent(folder: string): string {
  return join(realpathSync(dirname(resolve(folder))), 'postgres')
}

function linkToSharedHome(folder: string, closed: string, account: ServerAccount, log: ServerLog): void {
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12)
  const home = join(SHARED_HOME, `data-${name}`)
  try {
    makeParents(SHARED_HOME, account)
    chmodSync(SHARED_HOME, 0o755)
    mkdirSync(home, { recursive: true, mode: 0o700 })
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) symlinkSync(home, folder)
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
      'link to it. Set EMMA_DATA to a folder outside of closed homes to have everything in one place.',
  )
}

function giveFolder(account: ServerAccount, folder: string): void {
  try {
    if (account) giveTo(account, folder)
    chmodSync(folder, 0o700)
  } catch (error) {
    throw new EmbeddedServerError(
      `The database folder ${folder} belongs to another user than the one starting EMMA. Start EMMA as that user or ` +
        `as root, or hand the folder over with: chown -R ${process.env['USER'] ?? 'USER'} ${folder}`,
      { cause: error },
    )
  }
}

function takeLock(folder: string, account: ServerAccount): FolderLock {
  const path = join(folder, 'lock')
  const lock = lockFile(path)
  if (!lock)
    throw new EmbeddedServerError(
      `Another EMMA is running on the data folder ${dirname(folder)}. Stop it first, or give this one a folder of ` +
        'its own in EMMA_DATA.',
    )
  giveTo(account, path)
  return lock
}

/** Owns the server's process: starts it, starts it again when it dies, stops it. */
class PostmasterGuard {
  port = 0
  onMoved = () => {}
  private child: ChildProcess | undefined
  private stopping = false
  private lastLines: string[] = []
  private readonly cluster: string
  private readonly account: ServerAccount
  private readonly binaries: ServerBinaries
  private readonly log: ServerLog

  constructor(cluster: string, account: ServerAccount, binaries: ServerBinaries, log: ServerLog) {
    this.cluster = cluster
    this.account = account
    this.binaries = binaries
    this.log = log
  }

  get pid(): number {
    return this.child?.pid ?? 0
  }

  /** Tries the wished port, then others: between choosing a port and binding it, somebody else may take it. */
  async start(wishedPort: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const port = await freePort(attempt === 1 ? wishedPort : 0)
      if (await this.launch(port)) break
      const said = this.lastLines.join('\n')
      if (attempt === 5 || !/Address already in use|could not bind/.test(said))
        throw new EmbeddedServerError(`The database did not start. PostgreSQL said:\n${said}`)
    }
    if (wishedPort !== 0 && this.port !== wishedPort)
      this.log.warn(`Database: port ${wishedPort} is in use, so it listens on ${this.port}`)
  }

  async stop(): Promise<void> {
    this.stopping = true
    const child = this.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    if (process.platform === 'win32') stopOnWindows(this.binaries, this.cluster)
    else if (child.pid) await stopProcess(child.pid)
  }

  /** True when the server accepts connections, false when it ended before that. */
  private async launch(port: number): Promise<boolean> {
    this.lastLines = []
    const child = spawn(
      join(this.binaries.folder, executable('postgres')),
      [
        '-D',
        this.cluster,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
      ],
      {
        cwd: '/',
        env: serverEnvironment(),
        stdio: ['ignore', 'ignore', 'pipe'],
        // A session of its own: Ctrl-C in the terminal must reach the program alone, which drains and then stops this.
        detached: true,
        ...(this.account && { uid: this.account.uid, gid: this.account.gid }),
      },
    )
    const ended = new Promise<boolean>(settle => {
      child.once('error', error => {
        this.note(error.message)
        settle(false)
      })
      child.once('exit', () => settle(false))
    })
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => text.split('\n').forEach(line => this.note(line)))
    this.child = child
    this.port = port
    const abandoned = new AbortController()
    const ready = await Promise.race([ended, this.waitUntilReady(child, abandoned.signal)])
    abandoned.abort()
    if (ready) child.once('exit', (code, name) => void this.revive(name ?? `code ${code}`))
    return ready
  }

  /** After a crash the server first replays its log, which may take a while: told, not limited. */
  private async waitUntilReady(child: ChildProcess, abandoned: AbortSignal): Promise<boolean> {
    const started = Date.now()
    for (let turn = 1; !abandoned.aborted; turn++) {
      const postmaster = readPostmaster(this.cluster)
      if (postmaster?.ready && postmaster.pid === child.pid) return true
      if (turn % 200 === 0)
        this.log.info(`Database: recovering, ${Math.round((Date.now() - started) / 1000)} s so far`)
      await sleep(turn < 100 ? 10 : 50)
    }
    return false
  }

  private async revive(reason: string): Promise<void> {
    const port = this.port
    for (let attempt = 0; !this.stopping; attempt++) {
      this.log.error(`Database: the server ended (${reason}); starting it again`)
      try {
        for (const line of await clearLeftovers(this.cluster)) this.log.warn(`Database: ${line}`)
        await this.start(port)
        this.log.info('Database: running again')
        if (this.port !== port) this.onMoved()
        return
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        await sleep(Math.min(5_000, 200 * 2 ** attempt))
      }
    }
  }

  private note(line: string): void {
    if (line === '') return
    this.lastLines = [...this.lastLines.slice(-9), line]
    if (/^(FATAL|PANIC):/.test(line)) this.log.warn(`Database: ${line}`)
    else this.log.debug(`Database: ${line}`)
  }
}

function stopOnWindows(binaries: ServerBinaries, cluster: string): void {
  spawnSync(join(binaries.folder, executable('pg_ctl')), ['stop', '-D', cluster, '-m', 'fast', '-w'])
}

/** The wished port if nobody listens there, else any free one. */
async function freePort(wished: number): Promise<number> {
  return (await tryPort(wished)) ?? (await tryPort(0)) ?? 0
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((settle, fail) => {
    const probe = createServer()
    probe.once('error', error => {
      if (errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES') settle(undefined)
      else fail(error)
    })
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => settle(typeof address === 'object' ? address?.port : undefined))
    })
  })
}

/** The user `emma` and its database, on the first start. */
async function createDatabase(superuserUrl: string, password: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const role = await client.query(`select 1 from pg_roles where rolname = 'emma'`)
    if (role.rowCount === 0)
      await client.query(`create role emma login password ${client.escapeLiteral(password)}`)
    const database = await client.query(`select 1 from pg_database where datname = 'emma'`)
    if (database.rowCount === 0) await client.query('create database emma owner emma')
  } finally {
    await client.end()
  }
}

function inWords(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== '28P01') return error
  return new EmbeddedServerError(
    'The database refuses the password made from the secret key: the data folder was created with another one. Bring ' +
      'back the file secret.key that belongs to it, or the EMMA_SECRET it was started with.',
    { cause: error },
  )
}
