import { Resolver as NodeResolver } from 'node:dns/promises'
import type { DnsStep } from '@emma/contract/resources/domain.ts'
import type { Resolver } from '@emma/core/deliverability/verify-domain.ts'
import type { Config } from './config.ts'

/** Uses the system's DNS; for names under `.test` (RFC 6761) the testbed's. */
export function dnsResolver(config: Config): Resolver {
  const real = new NodeResolver({ timeout: 3000, tries: 2 })
  const testbed = new NodeResolver({ timeout: 2000, tries: 2 })
  testbed.setServers([`127.0.0.1:${config.testbedDnsPort}`])
  return {
    async resolve(host, type) {
      try {
        return await ask(host.endsWith('.test') ? testbed : real, host, type)
      } catch {
        // Name or record missing, or no response: empty.
        return []
      }
    },
  }
}

async function ask(resolver: NodeResolver, host: string, type: DnsStep['type']): Promise<string[]> {
  if (type === 'TXT') return (await resolver.resolveTxt(host)).map(parts => parts.join(''))
  if (type === 'A') return resolver.resolve4(host)
  if (type === 'CNAME') return resolver.resolveCname(host)
  return (await resolver.resolveMx(host)).map(({ priority, exchange }) => `${priority} ${exchange}`)
}
