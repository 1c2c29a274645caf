import { Resolver } from 'node:dns/promises'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createPool, type Pool } from '@emma/db/connection.ts'
import { readMigrationState } from '@emma/db/migrate.ts'
import { errorCode } from '@emma/db/process-info.ts'
import { silentLog } from '@emma/db/server-log.ts'
import type { Config } from '../config.ts'
import { findOpenPaths } from '../data-folder.ts'
import { findPlainHttp } from '../network/plain-http.ts'
import { roleNames } from '../roles.ts'
import { secretFile } from '../secret-key.ts'
import { findTakenPorts } from './check-ports.ts'
import { checkSecret } from './check-secret.ts'
import { databaseFolder, OLDEST_POSTGRESQL, openDatabase } from './open-database.ts'
import { describeFailure } from './command-error.ts'

/** Result of one check: a `problem` prevents the installation from working, a `warning` may do so soon. */
export type Finding = { state: 'fine' | 'warning' | 'problem'; words: string }

/** Runs all checks of this machine; a failing check does not prevent the others. */
export async function checkInstallation(config: Config): Promise<Finding[]> {
  return [
    checkNode(process.versions.node),
    checkFolder(config.dataFolder),
    checkDisk(config.dataFolder),
    checkSecretFile(config.dataFolder),
    ...checkOpenPaths(config.dataFolder),
    ...checkEncryption(config),
    ...(await checkDatabase(config)),
    await checkResolver(),
  ]
}

const fine = (words: string): Finding => ({ state: 'fine', words })
const warning = (words: string): Finding => ({ state: 'warning', words })
const problem = (words: string): Finding => ({ state: 'problem', words })

function checkEncryption(config: Config): Finding[] {
  const warnings = findPlainHttp(config)
  return warnings.length > 0
    ? warnings.map(warning)
    : [fine('Public addresses are not plain HTTP in production')]
}

/** @param version for example 24.21.0 */
export function checkNode(version: string): Finding {
  if (Number.parseInt(version) >= 24) return fine(`Node ${version}`)
  return problem(
    `Node ${version} is too old: EMMA runs on 24 or newer. "npm start" brings it along; use that.`,
  )
}

function checkFolder(folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return fine(`Data folder ${folder}`)
  } catch {
    return problem(`The data folder ${folder} cannot be written to by the user running this.`)
  }
}

const GB = 1024 ** 3

export function checkDisk(folder: string): Finding {
  const { bavail, bsize, blocks } = statfsSync(folder)
  return judgeDisk(bavail * bsize, blocks * bsize)
}

/** @param free in bytes, like total */
export function judgeDisk(free: number, total: number): Finding {
  const words = `${(free / GB).toFixed(1)} GB of ${(total / GB).toFixed(1)} GB free on the data folder's disk`
  if (free < GB) return problem(`Only ${words}: the database stops when it is full.`)
  return free < 5 * GB ? warning(`Only ${words}: an upload of a million rows needs about 1 GB.`) : fine(words)
}

export function checkSecretFile(dataFolder: string): Finding {
  const file = secretFile(dataFolder)
  if (!existsSync(file)) return fine('Secret key from EMMA_SECRET')
  const mode = statSync(file).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0)
    return fine('Secret key, readable by its owner alone')
  return problem(`Others may read the secret key (mode ${mode.toString(8)}): chmod 600 ${file}`)
}

function checkOpenPaths(dataFolder: string): Finding[] {
  return findOpenPaths(dataFolder)
    .filter(path => path !== secretFile(dataFolder))
    .map(path => problem(`Other users of this machine may enter or read ${path}: chmod go-rwx ${path}`))
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl && !existsSync(databaseFolder(config)))
    return [
      warning('There is no database yet: the first "emma start" makes it.'),
      ...(await checkFreePorts(config)),
    ]
  try {
    const database = await openDatabase(config, silentLog)
    const pool = createPool(database.url, { max: 1, applicationName: 'emma doctor' })
    try {
      return await examineDatabase(config, pool, database.url)
    } finally {
      await pool.end()
      await database.close()
    }
  } catch (error) {
    return [problem(`Database: ${describeFailure(error)}`)]
  }
}

async function examineDatabase(config: Config, pool: Pool, url: string): Promise<Finding[]> {
  const migrations = await checkMigrations(url)
  const findings = [await checkVersion(pool), await checkClock(pool), migrations]
  if (migrations.state !== 'fine') return findings
  return [
    ...findings,
    await checkSharedSecret(config, pool),
    await checkAuditLog(pool),
    await checkDelivery(pool),
    ...(await checkRoles(config, pool)),
  ]
}

async function checkVersion(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  const { version, number } = rows[0]
  if (number >= OLDEST_POSTGRESQL * 10_000) return fine(`PostgreSQL ${version}`)
  return problem(`PostgreSQL ${version} is too old: EMMA needs ${OLDEST_POSTGRESQL} or newer.`)
}

/** Tokens and schedules are written with one clock and read with the other. */
async function checkClock(pool: Pool): Promise<Finding> {
  const before = Date.now()
  const { rows } = await pool.query('select extract(epoch from clock_timestamp()) * 1000 as now')
  return judgeClock(rows[0].now - (before + Date.now()) / 2)
}

/** @param drift milliseconds by which the database is ahead */
export function judgeClock(drift: number): Finding {
  const seconds = Math.abs(drift / 1_000).toFixed(1)
  if (Math.abs(drift) < 2_000) return fine('Clock agrees with the database')
  const words = `The database's clock is ${seconds} s ${drift > 0 ? 'ahead of' : 'behind'} this machine's`
  const advice = 'campaigns start at the wrong time and logins expire early. Set both by NTP.'
  return Math.abs(drift) < 30_000 ? warning(`${words}: ${advice}`) : problem(`${words}: ${advice}`)
}

async function checkMigrations(url: string): Promise<Finding> {
  try {
    const { applied, pending } = await readMigrationState(url)
    if (pending.length === 0) return fine(`Database is up to date (${applied.length} migrations)`)
    return warning(`${pending.length} migrations are to be applied: "emma start" or "emma migrate" does it.`)
  } catch (error) {
    return problem(describeFailure(error))
  }
}

async function checkSharedSecret(config: Config, pool: Pool): Promise<Finding> {
  try {
    await checkSecret(pool, config)
    return fine('Secret key is the one the database was set up with')
  } catch (error) {
    return problem(describeFailure(error))
  }
}

/** Superusers bypass privileges, and a dump restored without privileges lacks the revoked ones. */
async function checkAuditLog(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query(
    `select has_table_privilege('change_log', 'update, delete, truncate') as may`,
  )
  if (rows[0]?.may === false) return fine('Audit log is append-only')
  return warning(
    'The audit log can be changed: give EMMA a database user that is no superuser and owns its tables, and have that ' +
      'user run "revoke update, delete, truncate on change_log from current_user".',
  )
}

/** The setting `real_delivery`; off by default. */
async function checkDelivery(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query(`select value from setting where name = 'real_delivery'`)
  if (rows[0]?.value === true) return fine('Real delivery is on: mail leaves for the internet')
  return fine('Real delivery is off: all mail goes to the testbed, nothing leaves this installation')
}

/** Seconds without heartbeat (four missed beats). */
const SILENT = 20

async function checkRoles(config: Config, pool: Pool): Promise<Finding[]> {
  const { rows } = await pool.query(
    `select role, bool_or(node = $1) as here, max(seen_at) > now() - make_interval(secs => $2) as alive
     from role_heartbeat group by role`,
    [config.node, SILENT],
  )
  const alive = roleNames.filter(name => rows.some(row => row.role === name && row.alive))
  if (alive.length === 0) return [warning('EMMA is not running'), ...(await checkFreePorts(config))]
  const missing = roleNames.filter(name => !alive.includes(name))
  if (missing.length === 0) return [fine(`All roles are running: ${alive.join(', ')}`)]
  return [
    fine(`Running: ${alive.join(', ')}`),
    problem(`Not running on any machine: ${missing.join(', ')}. The log of "emma start" says why.`),
  ]
}

async function checkFreePorts(config: Config): Promise<Finding[]> {
  const faults = await findTakenPorts(config, roleNames)
  return faults.length === 0 ? [fine('Ports are free')] : faults.map(problem)
}

/** Only real delivery needs public DNS; testing works without. */
async function checkResolver(): Promise<Finding> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  const servers = resolver.getServers().join(', ')
  try {
    await resolver.resolveMx('gmail.com')
    return fine(`Name server answers (${servers})`)
  } catch (error) {
    return warning(
      `The name server (${servers || 'none set'}) does not find the mail servers of gmail.com (${errorCode(error) ?? describeFailure(error)}): ` +
        'real delivery and domain checks will not work, the testbed does.',
    )
  }
}
