import type { KeyObject } from 'node:crypto'
import type { Db } from '@emma/db/connection.ts'
import type { FastifyInstance } from 'fastify'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import type { CampaignPages } from './campaign-pages.ts'
import type { EventSpool } from './event-spool.ts'
import type { ProcessPages } from './process-pages.ts'

/** Dependencies of the public paths. */
export interface Public {
  app: FastifyInstance
  db: Db
  tokenKey: KeyObject
  journal: EventSpool
  campaigns: CampaignPages
  pages: ProcessPages
  isTrustedProxy: IsTrustedProxy
}
