import { setTimeout as sleep } from 'node:timers/promises'
import { createPool, createDb } from '@emma/db/connection.ts'
import { migrate } from '@emma/db/migrate.ts'
import { type Config, loadConfig } from '../config.ts'
import { closeDataFolder, findOpenPaths } from '../data-folder.ts'
import { type FirstStart, prepareFirstStart } from '../first-start.ts'
import { createLogger, type Logger } from '../logger.ts'
import { findPlainHttp, localOrigin } from '../network/plain-http.ts'
import { isRoleName, processNames, type RoleName, roleNames } from '../roles.ts'
import { markStopping, unmarkStopping, waitForEarlierProgram } from '../supervisor/earlier-program.ts'
import { waitForEarlierRoles } from '../supervisor/role-lock.ts'
import { type Supervisor, supervise } from '../supervisor/supervise.ts'
import { findTakenPorts } from './check-ports.ts'
import { checkSecret } from './check-secret.ts'
import { databaseFolder, startDatabase, waitForDatabase } from './open-database.ts'
import { CommandError } from './command-error.ts'

/** Milliseconds to wait for the operator's own database. */
const DATABASE_TIMEOUT_MS = 60_000

/**
 * `emma start`: database, migrations, first account, then one process per role under the supervisor. Prints `EMMA is
 * ready at URL` when the console is available; runs until SIGTERM or SIGINT and then shuts down gracefully.
 * @param wanted roles separated by commas; default: all
 */
export async function start(wanted?: string): Promise<void> {
  const chosen = parseRoles(wanted)
  const config = loadConfig()
  closeDataFolder(config.dataFolder)
  const logger = createLogger('supervisor', config.logLevel)
  const stop = onStopSignal(logger)

  for (const words of findPlainHttp(config)) logger.warn(words)
  for (const path of findOpenPaths(config.dataFolder))
    logger.warn(`Other users of this machine may enter or read ${path}`)
  await waitForPlace(config, chosen, logger)

  let supervisor: Supervisor | undefined
  const database = await openForever(config, logger, url => void supervisor?.restart({ DATABASE_URL: url }))
  try {
    unmarkStopping(config.dataFolder)
    await migrate(database.url, { log: line => logger.info(line) })
    const firstStart = await fillDatabase(config, database.url, logger)
    if (!stop.signal.aborted) {
      const processes = processNames(chosen, config.engines)
      supervisor = supervise({ roles: processes, environment: roleEnvironment(database.url), logger })
      stop.onSecondSignal = () => supervisor?.kill()
      void announce(config, chosen, supervisor, firstStart, logger, stop.signal)
      await stop.requested
    }
  } finally {
    markStopping(config.dataFolder)
    await supervisor?.stop()
    await database.stop()
    unmarkStopping(config.dataFolder)
  }
  logger.info('EMMA has stopped')
}

function parseRoles(wanted?: string): RoleName[] {
  if (wanted === undefined) return roleNames
  const names = wanted.split(',').map(name => name.trim())
  const unknown = names.find(name => !isRoleName(name))
  if (unknown !== undefined)
    throw new CommandError(`There is no role "${unknown}". The roles are ${roleNames.join(', ')}.`)
  return names.filter(isRoleName)
}

/** Waits for another EMMA that is stopping and for orphaned roles; other conflicts are errors. */
async function waitForPlace(config: Config, chosen: RoleName[], logger: Logger): Promise<void> {
  const folder = config.dataFolder
  const free = config.databaseUrl || (await waitForEarlierProgram(folder, databaseFolder(config), logger))
  const running = free
    ? await waitForEarlierRoles(folder, processNames(chosen, config.engines), logger)
    : chosen
  if (running.length > 0)
    throw new CommandError(
      `Another EMMA is running on the data folder ${folder} (${running.join(', ')}). Stop it first, or give this one ` +
        'a folder of its own in EMMA_DATA.',
    )
  const faults = await findTakenPorts(config, chosen)
  if (faults.length > 0) throw new CommandError(faults.join('\n'))
}

/**
 * Opens the database for the lifetime of the program: the operator's own, or the embedded one, restarted if it dies.
 */
async function openForever(config: Config, logger: Logger, onMoved: (url: string) => void) {
  if (!config.databaseUrl) return startDatabase(config, logger, onMoved)
  await waitForDatabase(config.databaseUrl, logger, DATABASE_TIMEOUT_MS)
  return { url: config.databaseUrl, stop: async () => {} }
}

async function fillDatabase(config: Config, url: string, logger: Logger): Promise<FirstStart> {
  const pool = createPool(url, { max: 2, applicationName: 'emma start', statementTimeout: 0 })
  try {
    await checkSecret(pool, config)
    return await prepareFirstStart({ config, pool, db: createDb(pool), logger })
  } finally {
    await pool.end()
  }
}

/** Roles do not need the first password; undefined removes a variable. */
function roleEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  return { ...process.env, DATABASE_URL: databaseUrl, EMMA_ADMIN_PASSWORD: undefined }
}

/** Prints that the installation is ready, and until then what it waits for. */
async function announce(
  config: Config,
  chosen: RoleName[],
  supervisor: Supervisor,
  { madeUpAccount }: FirstStart,
  logger: Logger,
  stopped: AbortSignal,
): Promise<void> {
  await supervisor.ready
  if (chosen.includes('api'))
    await untilReady(`${localOrigin(config.host, config.port)}/ready`, logger, stopped)
  if (stopped.aborted) return
  if (madeUpAccount) console.log(firstAccountLine(madeUpAccount, process.stdout.isTTY === true))
  if (chosen.includes('api')) console.log(`EMMA is ready at ${config.publicUrl}`)
  else console.log(`EMMA is running: ${chosen.join(', ')}`)
}

/** The generated password is printed only to a terminal; other outputs are stored as logs. */
function firstAccountLine(account: { username: string; password: string }, isTerminal: boolean): string {
  const { username, password } = account
  if (isTerminal) return `First account: ${username} / ${password}`
  return `First account: ${username}. Choose its password with: emma user reset --username ${username}`
}

async function untilReady(url: string, logger: Logger, stopped: AbortSignal): Promise<void> {
  for (let turn = 1; !stopped.aborted; turn++) {
    const state = await askReady(url)
    if (state === 'ready') return
    if (turn % 50 === 0) logger.warn(`Not ready yet: ${state}`)
    await sleep(200)
  }
}

async function askReady(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return answer.ok ? 'ready' : await answer.text()
  } catch (error) {
    return String(error)
  }
}

/** Ctrl-C arrives several times under npm: from the terminal and from every parent process. */
const SAME_SIGNAL = 2_000

/**
 * The first signal starts a graceful shutdown, a later one exits at once. A parent process that exits counts as a
 * signal.
 */
function onStopSignal(logger: Logger) {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = { signal: controller.signal, requested: promise, onSecondSignal: () => {} }
  let since = 0
  const request = (reason: string) => {
    if (controller.signal.aborted) {
      if (Date.now() - since > SAME_SIGNAL) stop.onSecondSignal()
      return
    }
    logger.info(`Stopping (${reason}): letting the roles finish what they have in hand`)
    since = Date.now()
    controller.abort()
    resolve()
  }
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => request(name))
  process.on('disconnect', () => request('what started it is gone'))
  process.channel?.unref()
  return stop
}
