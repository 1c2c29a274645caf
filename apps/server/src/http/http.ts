import type { Pool, Sql } from '@emma/db/connection.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../logger.ts'
import type { Config } from '../config.ts'

/** What a mounted path works with: made once, when the app is. */
export interface Http {
  app: FastifyInstance
  config: Config
  sql: Sql
  pool: Pool
  logger: Logger
}
