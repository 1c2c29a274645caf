import type { Pool, Db } from '@emma/db/connection.ts'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Logger } from './logger.ts'

/** What a role gets to work with. The pool is the role's own, sized in roles.ts; `db` is the query builder over it. */
export type RoleContext = {
  config: Config
  db: Db
  pool: Pool
  logger: Logger
  /** Where the process counts what it does; undefined outside of a role's process. */
  metrics?: Registry
}

/** A role that runs. */
export type RunningRole = {
  /** Finishes what is in hand and closes what is open, within 25 seconds. */
  stop(): Promise<void>
}

/** A role module: resolves once the role does its work. */
export type RoleModule = { start(context: RoleContext): Promise<RunningRole> }

/** How a role is run, and where its code is. */
export type Role = {
  load(): Promise<RoleModule>
  /** Database connections it may hold. */
  connections: number
  /** Milliseconds a statement may run there; 0 for work over whole tables. */
  statementTimeout: number
  /**
   * Megabytes of the young generation's halves. Where much passes through and little stays, V8 lets it grow until the
   * process takes a hundred megabytes more; a small one costs the same time.
   */
  semiSpace?: number
}
