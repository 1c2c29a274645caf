/** A variant of the product, selected by the host that the page is served from (R001–R006). */
export interface Brand {
  key: 'emma' | 'ems'
  shortName: string
  primaryColor: 'orange' | 'lightBlue'
  /** Browser theme colours for the light and dark scheme; never white, so that the brands differ in both. */
  themeColors: { light: string; dark: string }
  /** The two lines of the text logo, for a brand without a logo image. */
  textLogo: readonly [string, string] | null
  hosts: readonly string[]
  /** Hosts on which `<body>` has the brand's own style (R006); they also belong to the brand. */
  productionHosts: readonly string[]
  links: { promo: string; tickets: string | null }
}

/** Hosts and links of an installation; operators replace them with their own. */
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

/** Brand of a host name without port. Unknown hosts get the default brand. */
export function brandOfHost(host: string): Brand {
  return brands.ems.hosts.includes(host) || brands.ems.productionHosts.includes(host)
    ? brands.ems
    : brands.emma
}
