import { type Brand, brandOfHost } from '@emma/contract/brands.ts'

/** The brand of the current host (R001). */
export const brand: Brand = brandOfHost(globalThis.location?.hostname ?? '')

/** Applies the brand to the document: title, favicon, and a body class on production hosts (R005, R006). */
export function applyBrand(document: Document, { key, shortName, productionHosts }: Brand): void {
  document.title = shortName
  document.querySelector('link[rel="icon"]')?.setAttribute('href', `/favicon-${key}.svg`)
  if (productionHosts.includes(location.hostname)) document.body.classList.add(`brand-${key}`)
}
