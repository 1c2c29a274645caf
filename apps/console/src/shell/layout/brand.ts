import { type Brand, brandOfHost } from '@emma/contract/brands.ts'

/** The variant this page is served as (R001). */
export const brand: Brand = brandOfHost(globalThis.location?.hostname ?? '')

/** Puts the brand on the document: title, favicon, body style on production hosts (R005, R006). */
export function applyBrand(document: Document, { key, shortName, productionHosts }: Brand): void {
  document.title = shortName
  document.querySelector('link[rel="icon"]')?.setAttribute('href', `/favicon-${key}.svg`)
  if (productionHosts.includes(location.hostname)) document.body.classList.add(`brand-${key}`)
}
