import { setTimeout as sleep } from 'node:timers/promises'
import { followEvents } from '@emma/core/events/follow-events.ts'
import { dnsResolver } from '../dns-resolver.ts'
import { startInboundServer } from '../inbound/inbound-server.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Milliseconds between two looks into the event log while nothing happens. */
const pause = 500

/** Returned mail, and what all events do to the members they are about. */
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
  const stopped = new AbortController()
  const following = follow()

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        if ((await followEvents(db)) > 0) continue
      } catch (error) {
        logger.error({ err: error }, 'events could not be followed; they are read again')
      }
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopped.abort()
      await Promise.all([server.stop(), following])
    },
  }
}
