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

/** Message from a role's process to its supervisor. */
export type RoleMessage = { type: 'ready' }

/** Message from the supervisor to a role's process. */
export type SupervisorMessage = { type: 'stop' }

/**
 * Runs one role in this process, which the supervisor has forked with the database in DATABASE_URL. The process exits
 * when the supervisor requests it, when the supervisor is gone, or when the role fails.
 * @param name of the process
 * @param kind role name in the database
 */
export async function runRole(name: string, role: Role, kind = name): Promise<void> {
  const config = loadConfig()
  const logger = createLogger(name, config.logLevel)
  // Ctrl-C reaches every process of the terminal; the supervisor decides when a role stops.
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

  async function start(): Promise<{ running: RunningRole; heartbeat: Stoppable; metricsServer: Stoppable }> {
    const module = await role.load()
    const metrics = processMetrics(name, pool)
    const running = await module.start({ config, db: createDb(pool), pool, logger, metrics })
    const metricsServer = await serveMetrics(config, name, metrics, logger)
    const heartbeat = await startHeartbeat(pool, { node: config.node, role: kind, pid: process.pid }, logger)
    return { running, heartbeat, metricsServer }
  }

  function stop(): void {
    stopping ??= drain()
  }

  /** Without the supervisor nobody else would terminate a role that hangs. */
  async function drain(): Promise<void> {
    void sleep(DRAIN_LIMIT, undefined, { ref: false }).then(() => {
      logger.error(`Did not finish within ${DRAIN_LIMIT / 1_000} seconds; leaving`)
      process.exit(1)
    })
    const { running, heartbeat, metricsServer } = await starting
    await running.stop()
    await metricsServer.stop()
    await heartbeat.stop()
    await pool.end()
    lock?.release()
    process.exit(0)
  }
}

type Stoppable = { stop(): Promise<void> }

/** After an uncaught error the state of a role is unknown: a new process is safer. */
function leaveAfter(logger: Logger, error: unknown): void {
  logger.fatal({ err: error }, 'The role failed')
  process.exit(1)
}
