/** One of the two variants of the product, chosen by the host the page is served from (R001–R006). */
export interface Brand {
  key: 'emma' | 'ems'
  shortName: string
  primaryColor: 'orange' | 'lightBlue'
  themeColor: string
  textLogo: readonly [string, string] | null
  hosts: readonly string[]
  /** Hosts on which `<body>` carries the brand's own style (R006). */
  productionHosts: readonly string[]
  links: { promo: string; tickets: string | null }
}

export const brands: Record<Brand['key'], Brand> = {
  emma: {
    key: 'emma',
    shortName: 'EMMA',
    primaryColor: 'orange',
    themeColor: '#e8590c',
    textLogo: ['Beyond', 'Relationship Marketing'],
    hosts: ['localhost', '127.0.0.1', 'emma.localhost'],
    productionHosts: [],
    links: { promo: 'https://emma.example/', tickets: 'https://tickets.emma.example/' },
  },
  ems: {
    key: 'ems',
    shortName: 'EMS',
    primaryColor: 'lightBlue',
    themeColor: '#339af0',
    textLogo: null,
    hosts: ['ems.localhost'],
    productionHosts: [],
    links: { promo: 'https://ems.example/', tickets: null },
  },
}

/** The brand of a host name, without its port. Unknown hosts get the default brand. */
export function brandOfHost(host: string): Brand {
  return brands.ems.hosts.includes(host) || brands.ems.productionHosts.includes(host)
    ? brands.ems
    : brands.emma
}
