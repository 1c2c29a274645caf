/** A network whose tracking events can be classified by the IP address alone. */
export interface KnownNetwork {
  name:
    | 'apple'
    | 'appleRelay'
    | 'proofpoint'
    | 'mimecast'
    | 'barracuda'
    | 'microsoft'
    | 'googleProxy'
    | 'nobody'
  /** Where the ranges are published, for updating the list. */
  source: string
  ranges: readonly string[]
}

/** As of autumn 2026. Events from other networks are classified by their other properties. */
export const knownNetworks: readonly KnownNetwork[] = [
  {
    name: 'apple',
    source:
      'Allocations of Apple Inc. at ARIN and RIPE (AS714, AS6185). Mail Privacy Protection fetches from inside.',
    ranges: ['17.0.0.0/8', '2620:149::/32', '2a01:b740::/32', '2403:300::/32'],
  },
  {
    name: 'appleRelay',
    source:
      'Egress list of iCloud Private Relay (mask-api.icloud.com/egress-ip-ranges.csv), summed up to the partners’ blocks ' +
      '(Akamai, Cloudflare, Fastly; 2a09:bac0, bac1 and bac4 to bac7 are Cloudflare’s own VPN). People browse through them ' +
      'too, so alone they prove nothing.',
    ranges: [
      '172.224.0.0/12',
      '104.28.0.0/16',
      '146.75.128.0/17',
      '140.248.0.0/16',
      '2a02:26f7::/32',
      '2a09:bac2::/31',
      '2606:54c0::/32',
      '2606:54c3::/32',
      '2a04:4e41::/32',
    ],
  },
  {
    name: 'proofpoint',
    source:
      'Allocations of Proofpoint, Inc. at ARIN and RIPE (AS22843, AS26211, AS52129); ranges its documentation and Microsoft’s ' +
      'name for it.',
    ranges: [
      '67.231.144.0/20',
      '148.163.128.0/19',
      '66.159.224.0/19',
      '205.220.160.0/19',
      '208.86.200.0/22',
      '185.132.180.0/22',
      '185.183.28.0/22',
      '91.209.104.0/24',
      '91.207.212.0/23',
      '62.209.50.0/23',
    ],
  },
  {
    name: 'mimecast',
    source: 'Mimecast’s documentation, “Data centers and URLs”: outbound ranges of its regions.',
    ranges: [
      '205.139.110.0/23',
      '207.211.30.0/23',
      '91.220.42.0/24',
      '195.130.217.0/24',
      '146.101.78.0/24',
      '185.58.84.0/22',
      '170.10.128.0/21',
      '216.205.24.0/24',
      '63.128.21.0/24',
      '207.82.80.0/24',
      '147.28.36.0/24',
      '213.167.75.0/25',
      '213.167.81.0/25',
      '193.7.206.0/25',
      '193.7.207.0/25',
    ],
  },
  {
    name: 'barracuda',
    source: 'Barracuda’s documentation, “Email Gateway Defense: IP ranges used for configuration”.',
    ranges: ['64.235.144.0/20', '209.222.80.0/21', '35.176.92.96/27'],
  },
  {
    name: 'microsoft',
    source:
      'Microsoft’s “Office 365 URLs and IP address ranges”, Exchange Online Protection; 40.94.0.0/16: long seen to follow ' +
      'links of Safe Links.',
    ranges: [
      '40.92.0.0/15',
      '40.94.0.0/16',
      '40.107.0.0/16',
      '52.100.0.0/14',
      '104.47.0.0/17',
      '2a01:111:f400::/48',
      '2a01:111:f403::/48',
    ],
  },
  {
    name: 'googleProxy',
    source: 'SPF of _netblocks.google.com: Gmail’s picture proxy fetches from these for all its readers.',
    ranges: [
      '64.233.160.0/19',
      '66.102.0.0/20',
      '66.249.80.0/20',
      '72.14.192.0/18',
      '74.125.0.0/16',
      '108.177.8.0/21',
      '173.194.0.0/16',
      '209.85.128.0/17',
      '216.58.192.0/19',
      '216.239.32.0/19',
    ],
  },
  {
    name: 'nobody',
    source:
      'IANA’s special-purpose registries (RFC 6890): this machine, private networks, documentation. Such an address is a ' +
      'proxy’s or a test’s and tells nothing about who is behind it.',
    ranges: [
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.0.2.0/24',
      '192.168.0.0/16',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '::1/128',
      'fc00::/7',
      'fe80::/10',
      '2001:db8::/32',
    ],
  },
]
