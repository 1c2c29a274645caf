import { join } from 'node:path'
import fastify from 'fastify'
import { mailTokenKey } from '../mail-token-key.ts'
import { measureTrackingEvents, measureHttp } from '../metrics/http-metrics.ts'
import { openFileStorage } from '../files/open-file-storage.ts'
import { limitConnections } from '../network/limit-connections.ts'
import { TRACKING_LIMITS } from '../network/limits.ts'
import { createCampaignPages } from '../tracking/campaign-pages.ts'
import { mountEspWebhooks } from '../tracking/esp-webhooks.ts'
import { attachFastPath } from '../tracking/fast-path.ts'
import { openEventSpool } from '../tracking/event-spool.ts'
import { mountPublic } from '../tracking/mount-tracking.ts'
import { mountDesignImages } from '../tracking/mount-design-images.ts'
import { mountFiles } from '../tracking/mount-files.ts'
import { mountWebForms } from '../tracking/web-forms/mount-web-forms.ts'
import { runEventStore } from '../tracking/run-event-store.ts'
import { createProcessPages } from '../tracking/process-pages.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Serves opens, clicks and unsubscribes on a separate port, so that readers never slow down the console. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const { config, db, logger } = context
  const app = fastify({
    bodyLimit: TRACKING_LIMITS.bodyBytes,
    trustProxy: config.isTrustedProxy,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    requestTimeout: TRACKING_LIMITS.requestTimeoutMs,
    http: {
      maxHeaderSize: TRACKING_LIMITS.headerBytes,
      headersTimeout: TRACKING_LIMITS.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    // A connection that left the fast path can return to it.
    maxRequestsPerSocket: 100,
  })
  const folder = join(config.dataFolder, 'hits')
  const tokenKey = mailTokenKey(config)
  const journal = await openEventSpool(folder, logger)
  const store = runEventStore({
    folder,
    databaseUrl: config.databaseUrl ?? '',
    tokenKey,
    logLevel: config.logLevel,
  })
  const campaigns = createCampaignPages(db)
  const { isTrustedProxy } = config
  const front = attachFastPath({ server: app.server, tokenKey, journal, campaigns, isTrustedProxy })
  limitConnections(app.server, TRACKING_LIMITS.connections, { isTrustedProxy })
  if (context.metrics) {
    measureHttp(app, context.metrics)
    measureTrackingEvents(front.counts, context.metrics)
  }
  // The rest of an unread body would be discarded.
  app.addHook('onSend', async ({ raw }, reply) => void (raw.complete || reply.header('connection', 'close')))
  const pages = createProcessPages(db)
  app.setNotFoundHandler((request, reply) => pages.sendGone(request, reply))
  mountPublic({ ...context, app, campaigns, pages, journal })
  mountFiles(app, db, openFileStorage(config))
  mountDesignImages(app)
  mountWebForms({ ...context, app, pages })
  mountEspWebhooks({ ...context, app })
  await app.listen({ port: config.trackingPort, host: config.host })
  return {
    async stop() {
      const closed = app.close()
      front.close()
      await closed
      await journal.close()
      await store.finish()
    },
  }
}
