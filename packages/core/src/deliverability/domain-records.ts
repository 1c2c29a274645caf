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

/** What a domain's records have to point at: this installation, as the world sees it. */
export interface MailHosts {
  /** SPF mechanism of the servers that send: `include:…` or `ip4:…`. */
  spf: string
  /** Host that takes returned mail; null: the return path host itself. */
  mailHost: string | null
  tracking: { type: 'CNAME' | 'A'; value: string }
}

/** Each domain's installation: names under `.test` live on this machine. */
export type MailHostsOf = (domainName: string) => MailHosts

/** The records a domain needs: SPF, DKIM for each key, DMARC, return path, tracking (domain.md 2E). */
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
