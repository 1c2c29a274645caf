import type { MailHostsOf } from '@emma/core/deliverability/domain-records.ts'
import type { Config } from '../config.ts'

/**
 * Public hosts of this installation for the DNS records of a client's domain; for names under `.test` (RFC 6761) this
 * machine, as in the testbed's DNS.
 */
export function mailHostsOf(config: Config): MailHostsOf {
  const mailHost = `mail.${new URL(config.publicUrl).hostname}`
  const trackingHost = new URL(config.trackingUrl).hostname
  return name =>
    name.endsWith('.test')
      ? { spf: 'ip4:127.0.0.1', mailHost: null, tracking: { type: 'A', value: '127.0.0.1' } }
      : { spf: `include:${mailHost}`, mailHost, tracking: { type: 'CNAME', value: trackingHost } }
}
