import { createDnsClient } from '@emma/delivery/4-deliver/mx/dns-client.ts'
import { createStsPolicies, MOST_POLICY_BYTES } from '@emma/delivery/4-deliver/mx/mta-sts.ts'
import type { Outgoing } from '@emma/delivery/4-deliver/transport.ts'
import type { Config } from './config.ts'
import { guardedFetch } from './provider/guarded-fetch.ts'

/**
 * Settings for mail that leaves this machine: DNS, MTA-STS policies, and allowed addresses. DNSSEC counts if the
 * system's resolver is on this machine and validates.
 */
export function outgoing(config: Pick<Config, 'webhookLoopback' | 'isRelay'>): Outgoing {
  const dns = createDnsClient()
  const fetchPublic = guardedFetch('public', { most: MOST_POLICY_BYTES })
  const policies = createStsPolicies(dns, async url => {
    const answer = await fetchPublic(url, {})
    // A web page or image is not a policy (RFC 8461, 3.3).
    const isText = /^text\/plain\b/i.test(answer.headers.get('content-type') ?? '')
    return answer.status === 200 && isText ? answer.text() : null
  })
  return { mx: { dns, policies, allowPrivate: false }, ...relayRules(config) }
}

/** Relays that mail classes may use. */
export function relayRules({ isRelay, webhookLoopback }: Pick<Config, 'webhookLoopback' | 'isRelay'>) {
  return { isRelay, allowPrivate: webhookLoopback }
}
