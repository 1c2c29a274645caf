import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, TypeOverrides, types } from 'pg'
import type { Database } from './database-types.ts'
import { nameStatements } from './execute-prepared.ts'

export type { Pool, PoolClient } from 'pg'

/** A handle on the database: the pool's, or a running transaction's. Operations take it as first argument. */
export type Db = Kysely<Database>

export type PoolSettings = {
  /** Maximum connections of this process. */
  max?: number
  /** Shown in pg_stat_activity, where operators see which role holds a lock. */
  applicationName?: string
  /** Statement timeout in milliseconds; 0 for none (bulk work). Default: one minute. */
  statementTimeout?: number
  /** Called for idle connections that failed (a restarted server, a network failure). */
  onLostConnection?: (error: Error) => void
}

const ONE_MINUTE = 60_000

/**
 * Creates a connection pool with session time zone UTC. Values have JSON types: int8 and numeric as numbers,
 * timestamptz as ISO 8601 in UTC with milliseconds, date as `YYYY-MM-DD`; arrays likewise.
 *
 * A server restart fails the running statements only: the pool reconnects.
 */
export function createPool(url: string, settings: PoolSettings = {}): Pool {
  const { max = 10, applicationName = 'emma', statementTimeout = ONE_MINUTE, onLostConnection } = settings
  const pool = new Pool({
    connectionString: url,
    // The first query after a pause does not wait for a new connection, which takes long on a busy machine.
    min: Math.min(2, max),
    max,
    types: valueTypes,
    application_name: applicationName,
    statement_timeout: statementTimeout,
    // An open transaction of a hung process would hold its locks, and block vacuum, forever.
    idle_in_transaction_session_timeout: 5 * ONE_MINUTE,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: '-c TimeZone=UTC',
  })
  const lost = onLostConnection ?? (() => {})
  pool.on('error', lost)
  // The pool removes its error listener from checked-out connections, and an 'error' without listener ends the
  // process.
  pool.on('connect', client => {
    client.on('error', lost)
    nameStatements(client)
  })
  return pool
}

/** Creates the typed query builder over a pool. The caller closes the pool. */
export function createDb(pool: Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Runs `work` in one transaction and returns its result; any error rolls back and is rethrown. Joins the transaction
 * if the handle is one.
 */
export function transaction<T>(db: Db, work: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return work(db)
  return db.transaction().execute(work)
}

function isTransaction(db: Db): db is Transaction<Database> {
  return db.isTransaction
}

/** PostgreSQL's own type numbers (pg_type.oid): fixed for built-in types. */
const oid = {
  int8: 20,
  int8Array: 1016,
  numeric: 1700,
  numericArray: 1231,
  date: 1082,
  dateArray: 1182,
  timestamptz: 1184,
  timestamptzArray: 1185,
  timestamp: 1114,
  textArray: 1009,
}

const parseTextArray: (text: string) => (string | null)[] = types.getTypeParser(oid.textArray)

const valueTypes = new TypeOverrides()
valueTypes.setTypeParser(oid.int8, Number)
valueTypes.setTypeParser(oid.int8Array, arrayOf(Number))
valueTypes.setTypeParser(oid.numeric, Number)
valueTypes.setTypeParser(oid.numericArray, arrayOf(Number))
valueTypes.setTypeParser(oid.date, (text: string) => text)
valueTypes.setTypeParser(oid.dateArray, parseTextArray)
valueTypes.setTypeParser(oid.timestamp, (text: string) => text)
valueTypes.setTypeParser(oid.timestamptz, isoTime)
valueTypes.setTypeParser(oid.timestamptzArray, arrayOf(isoTime))

function arrayOf<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  return text => parseTextArray(text).map(item => (item === null ? null : parse(item)))
}

/**
 * `2026-11-21 01:37:00.123456+00` → `2026-11-21T01:37:00.123Z`; what no Date can represent (infinity, BC) stays text.
 */
function isoTime(text: string): string {
  // Years of four digits, as nearly all are: cut from the text, without the cost of a Date.
  if (text.charAt(4) === '-' && text.endsWith('+00'))
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString()
}
