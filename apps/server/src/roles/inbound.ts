import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { followEvents } from '@emma/core/events/follow-events.ts'
import { dnsResolver } from '../dns-resolver.ts'
import { startInboundServer } from '../inbound/inbound-server.ts'
import { startSubmissionServer } from '../submission/submission-server.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Milliseconds between idle checks of the event log. */
const pause = 500

/** Receives inbound mail and submitted transactional emails, and applies all events to members. */
export async function start({ config, db, pool, logger }: RoleContext): Promise<RunningRole> {
  const dns = dnsResolver(config)
  const server = await startInboundServer(
    { db, pool, tokenKey: mailTokenKey(config) },
    {
      host: config.inboundHost,
      port: config.inboundPort,
      isTrustedProxy: config.isTrustedProxy,
      resolveTxt: name => dns.resolve(name, 'TXT'),
    },
    logger,
  )
  const tls = config.submissionTls
  const submission = await startSubmissionServer(
    db,
    {
      host: config.submissionHost,
      port: config.submissionPort,
      isTrustedProxy: config.isTrustedProxy,
      tls: tls
        ? { key: await readFile(tls.keyFile, 'utf8'), cert: await readFile(tls.certFile, 'utf8') }
        : null,
    },
    logger,
  )
  const stopped = new AbortController()
  const following = follow()

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        if ((await followEvents(db)) > 0) continue
      } catch (error) {
        logger.error({ err: error }, 'events could not be processed; they will be retried')
      }
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopped.abort()
      await Promise.all([server.stop(), submission.stop(), following])
    },
  }
}
