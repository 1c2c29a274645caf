import { setTimeout as sleep } from 'node:timers/promises'
import { createPool, createDb } from '@emma/db/connection.ts'
import { loadConfig } from '../config.ts'
import { createLogger, type Logger } from '../logger.ts'
import { serveMetrics } from '../metrics/metrics-socket.ts'
import { processMetrics } from '../metrics/process-metrics.ts'
import type { Role, RunningRole } from '../role.ts'
import { DRAIN_LIMIT } from './drain-limit.ts'
import { startHeartbeat } from './heartbeat.ts'
import { takeRole } from './role-lock.ts'

/** What a role's process tells its supervisor. */
export type RoleMessage = { type: 'ready' }

/** What the supervisor tells a role's process. */
export type SupervisorMessage = { type: 'stop' }

/**
 * Runs one role in this process, which the supervisor has forked with the database in DATABASE_URL. The process ends
 * when the supervisor asks it to, and by itself when the supervisor is gone or the role breaks.
 *
 * @param name of the process
 * @param kind the role it is known by in the database
 */
export async function runRole(name: string, role: Role, kind = name): Promise<void> {
  const config = loadConfig()
  const logger = createLogger(name, config.logLevel)
  // Ctrl-C reaches every process of the terminal; the supervisor decides when a role has to stop.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  process.on('uncaughtException', error => leaveAfter(logger, error))
  process.on('unhandledRejection', error => leaveAfter(logger, error))

  const lock = takeRole(config.dataFolder, name)
  if (!lock) {
    logger.fatal('Another process runs this role on this data folder')
    process.exit(1)
  }
  const pool = createPool(config.databaseUrl ?? '', {
    max: role.connections,
    statementTimeout: role.statementTimeout,
    applicationName: `emma ${name}`,
    onLostConnection: error => logger.debug({ err: error }, 'Lost a database connection'),
  })
  let stopping: Promise<void> | undefined
  const starting = start()
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'stop') stop()
  })
  process.on('SIGTERM', stop)
  process.on('disconnect', () => {
    if (!stopping) logger.warn('The supervisor is gone; stopping')
    stop()
  })
  await starting
  process.send?.({ type: 'ready' } satisfies RoleMessage)

  async function start(): Promise<{ running: RunningRole; heartbeat: Stoppable; told: Stoppable }> {
    const module = await role.load()
    const metrics = processMetrics(name, pool)
    const running = await module.start({ config, db: createDb(pool), pool, logger, metrics })
    const told = await serveMetrics(config, name, metrics, logger)
    const heartbeat = await startHeartbeat(pool, { node: config.node, role: kind, pid: process.pid }, logger)
    return { running, heartbeat, told }
  }

  function stop(): void {
    stopping ??= drain()
  }

  /** With the supervisor gone nobody else would end a role that hangs. */
  async function drain(): Promise<void> {
    void sleep(DRAIN_LIMIT, undefined, { ref: false }).then(() => {
      logger.error(`Did not finish within ${DRAIN_LIMIT / 1_000} seconds; leaving`)
      process.exit(1)
    })
    const { running, heartbeat, told } = await starting
    await running.stop()
    await told.stop()
    await heartbeat.stop()
    await pool.end()
    lock?.release()
    process.exit(0)
  }
}

type Stoppable = { stop(): Promise<void> }

/** What state a role is in after an error nobody caught is unknown: a fresh process is better. */
function leaveAfter(logger: Logger, error: unknown): void {
  logger.fatal({ err: error }, 'The role broke')
  process.exit(1)
}
