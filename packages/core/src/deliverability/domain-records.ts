import type { DnsStep } from '@emma/contract/resources/domain.ts'
export interface DomainNames {
  name: string
  return_path_host: string
  tracking_host: string
}

export interface DkimRecord {
  selector: string
  public_txt: string
}

/** This installation's public hosts, which the records of a domain point to. */
export interface MailHosts {
  /** SPF mechanism of the sending servers: `include:…` or `ip4:…`. */
  spf: string
  /** Host that receives bounces; null: the return path host itself. */
  mailHost: string | null
  tracking: { type: 'CNAME' | 'A'; value: string }
}

/** Hosts by domain name: those of domains under `.test` are on this machine. */
export type MailHostsOf = (domainName: string) => MailHosts

/** DNS records that a domain needs: SPF, DKIM for each key, DMARC, return path, tracking (domain.md 2E). */
export function requiredRecords(
  domain: DomainNames,
  keys: readonly DkimRecord[],
  hosts: MailHosts,
): DnsStep[] {
  const step = (type: DnsStep['type'], host: string, expected: string): DnsStep => ({
    type,
    host,
    expected,
    found: [],
    ok: null,
  })
  return [
    step('TXT', domain.name, `v=spf1 ${hosts.spf} -all`),
    ...keys.map(key => step('TXT', `${key.selector}._domainkey.${domain.name}`, key.public_txt)),
    step('TXT', `_dmarc.${domain.name}`, 'v=DMARC1; p=none'),
    step('MX', domain.return_path_host, `10 ${hosts.mailHost ?? domain.return_path_host}`),
    step('TXT', domain.return_path_host, `v=spf1 ${hosts.spf} -all`),
    step(hosts.tracking.type, domain.tracking_host, hosts.tracking.value),
  ]
}
