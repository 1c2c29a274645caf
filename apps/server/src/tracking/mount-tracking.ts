import type { Db } from '@emma/db/connection.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { TRACKING_LIMITS } from '../network/limits.ts'
import type { CampaignPages } from './campaign-pages.ts'
import type { EventSpool } from './event-spool.ts'
import { mountConfirmations } from './mount-confirmations.ts'
import { mountEvents } from './mount-events.ts'
import { mountSubscriptions } from './mount-subscriptions.ts'
import { messagePage } from './page.ts'
import { languageOf, sendPage } from './send-page.ts'
import type { ProcessPages } from './process-pages.ts'
import type { Public } from './public.ts'

export interface PublicContext {
  app: FastifyInstance
  config: Pick<Config, 'deriveKey' | 'isTrustedProxy'>
  db: Db
  logger: Logger
  campaigns: CampaignPages
  pages: ProcessPages
  journal: EventSpool
}

/**
 * Mounts the public URLs of messages: open, click, browser view, unsubscribe, preferences. Responds first, writes
 * afterwards; GET and HEAD change nothing but the log (RFC 8058). Anything not signed by this installation gets a 404
 * page.
 */
export function mountPublic({ app, config, db, logger, campaigns, pages, journal }: PublicContext): void {
  // An encapsulated scope, so that its parsers and error pages do not affect the API.
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded'],
      { parseAs: 'string', bodyLimit: TRACKING_LIMITS.bodyBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    // RFC 8058 allows multipart as well, and the body does not decide whether a POST unsubscribes.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: TRACKING_LIMITS.bodyBytes },
      (_request, body, done) =>
        done(null, new URLSearchParams(/One-Click/.test(String(body)) ? ONE_CLICK : '')),
    )
    scope.setErrorHandler((error, request, reply) => {
      const code = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
      if (code >= 500) logger.error({ err: error, url: request.routeOptions.url }, 'A public page failed')
      const status = code === 413 ? 413 : 400
      if (code < 500) return pages.sendGone(request, reply.status(status))
      return sendPage(
        reply.status(503),
        messagePage(languageOf(request.headers['accept-language']), 'failed'),
      )
    })
    const { isTrustedProxy } = config
    const paths: Public = {
      app: scope,
      db,
      tokenKey: mailTokenKey(config),
      journal,
      campaigns,
      pages,
      isTrustedProxy,
    }
    mountEvents(paths)
    mountSubscriptions(paths)
    mountConfirmations(paths)
  })
}

const ONE_CLICK = 'List-Unsubscribe=One-Click'
