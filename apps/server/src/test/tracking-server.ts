import type { TestDatabase } from '@emma/db/test/database.ts'
import { createTokenReader } from '@emma/mail/token-reader.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { mailTokenKey } from '../mail-token-key.ts'
import { trustLoopback } from '../network/trusted-proxies.ts'
import { createCampaignPages } from '../tracking/campaign-pages.ts'
import { type EventSpool, openEventSpool } from '../tracking/event-spool.ts'
import { mountPublic } from '../tracking/mount-tracking.ts'
import { createProcessPages } from '../tracking/process-pages.ts'
import { startEventStore } from '../tracking/store-events.ts'

const config = { deriveKey: () => Buffer.alloc(32, 1), isTrustedProxy: trustLoopback }

/** Key that signs the tokens of the emails. */
export const trackingKey = mailTokenKey(config)

export interface TestTracking {
  /** The server; neither ready nor listening yet. */
  app: FastifyInstance
  journal: EventSpool
  campaigns: ReturnType<typeof createCampaignPages>
  /** Stores all spooled events. */
  close(): Promise<void>
}

/**
 * Server with the tracking routes: opens, clicks, pages.
 *
 * @param folder of the event spool
 */
export async function openTestTracking({ db, pool }: TestDatabase, folder: string): Promise<TestTracking> {
  const logger = pino({ level: 'silent' })
  const app = fastify({ trustProxy: 'loopback', routerOptions: { maxParamLength: 500 } })
  const pages = createProcessPages(db)
  app.setNotFoundHandler((request, reply) => pages.sendGone(request, reply))
  const journal = await openEventSpool(folder, logger)
  const store = startEventStore({ folder, pool, readToken: createTokenReader(trackingKey), logger })
  const campaigns = createCampaignPages(db)
  mountPublic({ app, config, db, logger, campaigns, pages, journal })
  return {
    app,
    journal,
    campaigns,
    async close() {
      await app.close()
      await journal.close()
      await store.finish()
    },
  }
}
