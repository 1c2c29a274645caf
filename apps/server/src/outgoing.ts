import { createDnsClient } from '@emma/delivery/4-deliver/mx/dns-client.ts'
import { createStsPolicies } from '@emma/delivery/4-deliver/mx/mta-sts.ts'
import type { Outgoing } from '@emma/delivery/4-deliver/transport.ts'
import type { Config } from './config.ts'
import { guardedFetch } from './provider/guarded-fetch.ts'

/**
 * What mail that leaves this machine needs: DNS, MTA-STS policies, and which addresses it may go to. DNSSEC counts where
 * the system's resolver is on this machine and validates.
 */
export function outgoing(config: Pick<Config, 'webhookLoopback'>): Outgoing {
  const dns = createDnsClient()
  const fetchPublic = guardedFetch('public')
  const policies = createStsPolicies(dns, async url => {
    const answer = await fetchPublic(url, {})
    // A page or picture that somebody may put there is no policy (RFC 8461, 3.3).
    const isText = /^text\/plain\b/i.test(answer.headers.get('content-type') ?? '')
    return answer.status === 200 && isText ? answer.text() : null
  })
  return { mx: { dns, policies, allowPrivate: false }, allowPrivate: config.webhookLoopback }
}
