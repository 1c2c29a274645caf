import type { Datasource } from '@emma/core/audience/datasources/datasource.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../logger.ts'
import type { Config } from '../config.ts'
import type { CountCall } from './caller-limit.ts'
import type { KeyedCache } from './response-cache.ts'
import type { SlowReads } from './slow-reads.ts'
import type { Caller } from './caller.ts'

/** Dependencies of a mounted path, created once with the app. */
export interface Http {
  app: FastifyInstance
  config: Config
  db: Db
  pool: Pool
  logger: Logger
  /** Caches of callers by token, and of datasources by `client table`. */
  kept: { sessions: KeyedCache<Caller>; datasources: KeyedCache<Datasource> }
  slowReads: SlowReads
  countCall: CountCall
}
