import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { createPool } from '@emma/db/connection.ts'
import { type EmbeddedServer, runningServerUrl, startEmbeddedServer } from '@emma/db/embedded-server.ts'
import type { ServerLog } from '@emma/db/server-log.ts'
import type { Config } from '../config.ts'
import { CommandError } from './command-error.ts'

export type OpenDatabase = {
  url: string
  /** Stops the embedded server if it was started for this command. */
  close(): Promise<void>
}

/** Oldest PostgreSQL version with the features that the migrations use. */
export const OLDEST_POSTGRESQL = 15

/**
 * Opens the database for a single command: the operator's, or the embedded one, which is started until `close` unless
 * EMMA is running.
 * @throws CommandError if the operator's database is unreachable or too old; EmbeddedServerError
 */
export async function openDatabase(config: Config, log: ServerLog): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    await waitForDatabase(config.databaseUrl, log, 0)
    return { url: config.databaseUrl, close: async () => {} }
  }
  const running = runningServerUrl(databaseFolder(config), databaseSecret(config))
  if (running) return { url: running, close: async () => {} }
  const server = await startDatabase(config, log)
  return { url: server.url, close: () => server.stop() }
}

/** Starts the embedded server of this installation. */
export function startDatabase(
  config: Config,
  log: ServerLog,
  onMoved?: (url: string) => void,
): Promise<EmbeddedServer> {
  return startEmbeddedServer({
    folder: databaseFolder(config),
    secret: databaseSecret(config),
    port: config.databasePort,
    log,
    ...(onMoved && { onMoved }),
  })
}

export function databaseFolder(config: Config): string {
  return join(config.dataFolder, 'postgres')
}

function databaseSecret(config: Config): string {
  return config.deriveKey('database').toString('hex')
}

/**
 * Waits until the operator's PostgreSQL accepts connections: in a cluster it often starts together with EMMA.
 * @param timeoutMs timeout in milliseconds
 * @throws CommandError on timeout, or if it is too old
 */
export async function waitForDatabase(url: string, log: ServerLog, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let attempt = 1; ; attempt++) {
    try {
      return checkVersion(await readVersion(url))
    } catch (error) {
      if (error instanceof CommandError) throw error
      if (Date.now() >= deadline)
        throw new CommandError(`The database at ${withoutPassword(url)} does not answer: ${reason(error)}`)
      if (attempt === 1) log.warn(`Waiting for the database at ${withoutPassword(url)}: ${reason(error)}`)
      await sleep(1_000)
    }
  }
}

/** Returns the server's version as a number such as 180004. */
export async function readVersion(url: string): Promise<number> {
  const pool = createPool(url, { max: 1 })
  try {
    const { rows } = await pool.query(`select current_setting('server_version_num')::int as version`)
    return rows[0].version
  } finally {
    await pool.end()
  }
}

function checkVersion(version: number): void {
  if (version >= OLDEST_POSTGRESQL * 10_000) return
  throw new CommandError(
    `The database is PostgreSQL ${Math.floor(version / 10_000)}; EMMA needs ${OLDEST_POSTGRESQL} or newer.`,
  )
}

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
