import { findBrandFields } from '@emma/core/content/find-brand.ts'
import { findClientFields, sampleRecipient } from '@emma/core/content/render-message.ts'
import type { Db } from '@emma/db/connection.ts'
import { applyBrand, type DesignBrand } from './apply-brand.ts'
import type { DesignLanguage, LocalDesign } from './read-designs.ts'

/**
 * What a design is rendered from, in the brand of a client with sample data. `key` determines the result.
 * @param clientId 0: no client, so that the design has its own brand
 */
export async function readDesignSource(
  db: Db,
  clientId: number,
  design: LocalDesign,
  lang: DesignLanguage,
  trackingUrl: string,
) {
  const { name, imprint } = await findClientFields(db, clientId)
  const client = {
    name: name || 'Northwind',
    imprint: imprint || 'Northwind, Speicherstraße 12, 20457 Hamburg',
  }
  const brand = await findBrandFields(db, clientId)
  const source = {
    subject: design.subject,
    preheader: design.preheader,
    html: '',
    mjml: sourceOf(design, { base: trackingUrl, brand, imprint: '{{ client.imprint }}' }),
    text: '',
    modules: [],
    known: { member: ['firstname'], client: ['name', 'imprint'] },
    trackingBase: trackingUrl,
    isTracked: false,
    language: lang,
  }
  const campaign = { id: 0, name: design.title }
  const data = { member: sampleRecipient, campaign, client, token: 'preview', pageToken: 'preview' }
  return { key: [design.slug, lang, client, brand], source, data }
}

/** The MJML of a design in a brand. */
export function sourceOf(
  { mjml, palette }: LocalDesign,
  { base, brand, imprint }: { base: string; brand: DesignBrand; imprint: string },
): string {
  return applyBrand(mjml, palette, brand, imprint).replaceAll(
    /\{\{ image\.(\w+) \}\}/g,
    (_, name: string) => `${base}/designs/${name}.png`,
  )
}
