import type { Pool, Db } from '@emma/db/connection.ts'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Logger } from './logger.ts'

/** Context of a role. The pool is the role's own, sized in roles.ts; `db` is the query builder over it. */
export type RoleContext = {
  config: Config
  db: Db
  pool: Pool
  logger: Logger
  /** Metrics registry of the process; undefined outside a role's process. */
  metrics?: Registry
}

/** A running role. */
export type RunningRole = {
  /** Finishes current work and closes resources, within 25 seconds. */
  stop(): Promise<void>
}

/** A role module: resolves once the role is running. */
export type RoleModule = { start(context: RoleContext): Promise<RunningRole> }

/** Settings of a role, and its module. */
export type Role = {
  load(): Promise<RoleModule>
  /** Maximum database connections. */
  connections: number
  /** Statement timeout in milliseconds; 0 for work over whole tables. */
  statementTimeout: number
  /**
   * Semi-space size in megabytes. With short-lived garbage V8 lets it grow until the process uses a hundred megabytes
   * more; a small one costs the same time.
   */
  semiSpace?: number
}
