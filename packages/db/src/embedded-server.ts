import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import type { FolderLock } from './folder-lock.ts'
import { Postmaster } from './postmaster.ts'
import { serverAccount } from './server-account.ts'
import { findBinaries } from './server-binaries.ts'
import { clearLeftovers, prepareCluster, readPidFile } from './server-cluster.ts'
import { EmbeddedServerError } from './server-error.ts'
import { isFolderTaken, prepareFolder, takeFolder } from './server-folder.ts'
import { type ServerLog, silentLog } from './server-log.ts'
import { productionSettings, type Setting } from './server-settings.ts'

export type EmbeddedServerOptions = {
  /** The server's own folder; created if missing. */
  folder: string
  /** Source of the database passwords: the same secret opens the same folder again. */
  secret: string
  /** Preferred port; another free one is used if it is taken. */
  port?: number
  settings?: Setting[]
  /** Folder with initdb and postgres, instead of the ones in node_modules. */
  binaries?: string
  log?: ServerLog
  /** Called after a restart on another port: all clients must reconnect with the new URL. */
  onMoved?: (url: string) => void
}

export type EmbeddedServer = {
  /** Connects as `emma`, the owner of the database `emma`, which is not a superuser. */
  readonly url: string
  /** Connects as superuser to the database `postgres`. */
  readonly superuserUrl: string
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on a folder and restarts it on the same port if it dies. The first start creates the cluster, the
 * user and the database `emma`. One program at a time per folder.
 * @throws EmbeddedServerError with a message for operators: in use by another EMMA, no user to run as, folder
 * inaccessible, wrong secret, no binaries
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const log = options.log ?? silentLog
  const account = serverAccount(join(options.folder, 'cluster'))
  const folder = prepareFolder(options.folder, account, log)
  const lock = takeFolder(folder, account)
  try {
    const cluster = join(folder, 'cluster')
    for (const line of await clearLeftovers(cluster)) log.warn(`Database: ${line}`)
    const binaries = findBinaries(account, options.binaries)
    const superuserPassword = passwordOf('postgres', options.secret)
    prepareCluster(cluster, account, binaries, options.settings ?? productionSettings(), superuserPassword)
    const postmaster = new Postmaster(cluster, account, binaries, log)
    await postmaster.start(options.port ?? 0)
    const server = describeServer(postmaster, options, lock)
    await createDatabase(server, passwordOf('emma', options.secret))
    return server
  } catch (error) {
    lock.release()
    throw error
  }
}

/** URL of the server that another program runs on this folder; undefined if there is none. */
export function runningServerUrl(folder: string, secret: string): string | undefined {
  if (!isFolderTaken(folder)) return undefined
  const running = readPidFile(join(folder, 'cluster'))
  return running?.ready ? urlOf('emma', 'emma', running.port, secret) : undefined
}

function describeServer(
  postmaster: Postmaster,
  options: EmbeddedServerOptions,
  lock: FolderLock,
): EmbeddedServer {
  const url = () => urlOf('emma', 'emma', postmaster.port, options.secret)
  postmaster.onMoved = () => options.onMoved?.(url())
  return {
    get url() {
      return url()
    },
    get superuserUrl() {
      return urlOf('postgres', 'postgres', postmaster.port, options.secret)
    },
    get pid() {
      return postmaster.pid
    },
    async stop() {
      await postmaster.stop()
      lock.release()
    },
  }
}

function urlOf(user: string, database: string, port: number, secret: string): string {
  return `postgres://${user}:${passwordOf(user, secret)}@127.0.0.1:${port}/${database}`
}

/** Never stored: derived from the secret at each start. */
function passwordOf(user: string, secret: string): string {
  return createHmac('sha256', secret).update(`database user ${user}`).digest('base64url')
}

/** Creates the user `emma` and its database on the first start. */
async function createDatabase(server: EmbeddedServer, password: string): Promise<void> {
  const client = new Client({ connectionString: server.superuserUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const role = await client.query(`select 1 from pg_roles where rolname = 'emma'`)
    if (role.rowCount === 0)
      await client.query(`create role emma login password ${client.escapeLiteral(password)}`)
    const database = await client.query(`select 1 from pg_database where datname = 'emma'`)
    if (database.rowCount === 0) await client.query('create database emma owner emma')
    await client.end()
  } catch (error) {
    await server.stop()
    throw inWords(error)
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
