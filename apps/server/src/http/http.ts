import type { Datasource } from '@emma/core/audience/datasources/datasource.ts'
import type { MailTemplate } from '@emma/core/transactional/accept-mails.ts'
import type { MailKeyHolder } from '@emma/core/transactional/mail-key.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import type { FastifyInstance } from 'fastify'
import type { PreviewPool } from '../content/preview-pool.ts'
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
  /** Caches of callers by token, of datasources by `client table`, of transactional emails by id, and by key. */
  kept: {
    sessions: KeyedCache<Caller>
    datasources: KeyedCache<Datasource>
    mailKeys: KeyedCache<MailKeyHolder>
    mailTemplates: KeyedCache<MailTemplate>
  }
  slowReads: SlowReads
  previews: PreviewPool
  countCall: CountCall
}
