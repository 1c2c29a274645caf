/** One of the two variants of the product, chosen by the host the page is served from (R001–R006). */
export interface Brand {
  key: 'emma' | 'ems'
  shortName: string
  primaryColor: 'orange' | 'lightBlue'
  /** What browsers paint around the page, in each scheme: never white, so that the brands differ in both. */
  themeColors: { light: string; dark: string }
  /** The two lines of the logo of a brand without a logo image. */
  textLogo: readonly [string, string] | null
  hosts: readonly string[]
  /** Hosts on which `<body>` carries the brand's own style (R006); they belong to the brand as well. */
  productionHosts: readonly string[]
  links: { promo: string; tickets: string | null }
}

/** Hosts and links are those of an installation: whoever runs one puts their own here. */
export const brands: Record<Brand['key'], Brand> = {
  emma: {
    key: 'emma',
    shortName: 'EMMA',
    primaryColor: 'orange',
    themeColors: { light: '#e8590c', dark: '#7c2d12' },
    textLogo: ['Beyond', 'Relationship Marketing'],
    hosts: ['localhost', '127.0.0.1', 'emma.localhost'],
    productionHosts: ['console.emma.example'],
    links: { promo: 'https://emma.example/', tickets: 'https://tickets.emma.example/' },
  },
  ems: {
    key: 'ems',
    shortName: 'EMS',
    primaryColor: 'lightBlue',
    themeColors: { light: '#339af0', dark: '#164a7e' },
    textLogo: null,
    hosts: ['ems.localhost'],
    productionHosts: ['console.ems.example'],
    links: { promo: 'https://ems.example/', tickets: null },
  },
}

/** The brand of a host name, without its port. Unknown hosts get the default brand. */
export function brandOfHost(host: string): Brand {
  return brands.ems.hosts.includes(host) || brands.ems.productionHosts.includes(host)
    ? brands.ems
    : brands.emma
}
