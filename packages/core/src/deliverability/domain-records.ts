/** What the domain's DNS has to say before EMMA may send for it. */
export interface DnsStep {
  type: 'TXT' | 'CNAME' | 'MX'
  host: string
  expected: string
  found: string[]
  ok: boolean | null
}

export interface DomainNames {
  name: string
  return_path_host: string
  tracking_host: string
}

export interface DkimRecord {
  selector: string
  public_txt: string
}

/** Where this installation receives mail and serves links: the targets of the records. */
export interface HouseNames {
  mailHost: string
  trackingHost: string
}

/** The records a domain needs: SPF, DKIM for each key, DMARC, return path, tracking (domain.md 2E). */
export function requiredRecords(
  domain: DomainNames,
  keys: readonly DkimRecord[],
  house: HouseNames,
): DnsStep[] {
  const step = (type: DnsStep['type'], host: string, expected: string): DnsStep => ({
    type,
    host,
    expected,
    found: [],
    ok: null,
  })
  return [
    step('TXT', domain.name, `v=spf1 include:${house.mailHost} ~all`),
    ...keys.map(key => step('TXT', `${key.selector}._domainkey.${domain.name}`, key.public_txt)),
    step('TXT', `_dmarc.${domain.name}`, 'v=DMARC1; p=none'),
    step('MX', domain.return_path_host, `10 ${house.mailHost}`),
    step('TXT', domain.return_path_host, `v=spf1 include:${house.mailHost} ~all`),
    step('CNAME', domain.tracking_host, house.trackingHost),
  ]
}
