import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { count, date, flag, id, instant, line, text } from './fields.ts'
import type { Entity } from './permissions.ts'
import { checkFault } from './schema-faults.ts'

/** Documents that clients confirm: AGB are the general terms, BAV is the data-processing agreement (Art. 28 GDPR). */
export const legalKinds = ['agb', 'bav'] as const
export type LegalKind = (typeof legalKinds)[number]

/** Days for a confirmation, after which no campaign can be started. */
export const GRACE_DAYS = 14

export const PDF_BYTES = 5_000_000

const title = line(200)
/** HTML; it is sanitized before display. */
const html = text(100_000)

/**
 * A versioned document of the installation (domain.md 2G). Superadmins write; other users read published ones. A
 * published one cannot be changed, withdrawn or deleted.
 */
export function legalDocument({ kind, entity }: { kind: LegalKind; entity: Entity }) {
  return defineResource({
    name: kind,
    area: 'billing',
    entity,
    key: 'id',
    label: 'version',
    paths: [`/v2/${kind}/`],
    tenant: false,
    superadminOnly: 'writes',
    fields: {
      id,
      version: line(50).trim().min(1, checkFault('field.empty')),
      title_en: title,
      title_de: title,
      title_es: title,
      html_en: html,
      html_de: html,
      html_es: html,
      /** First day on which it applies. */
      valid_from: date,
      published: z.boolean().default(false),
      published_at: instant.nullable(),
      /** The file is uploaded and downloaded separately. */
      pdf: z.object({ name: z.string(), size: count }).nullable(),
    },
    readOnly: ['published_at', 'pdf'],
    openFields: [
      'id',
      'version',
      'title_en',
      'title_de',
      'title_es',
      'html_en',
      'html_de',
      'html_es',
      'valid_from',
      'published',
      'published_at',
      'pdf',
    ],
    required: {
      create: ['version', 'title_en', 'title_de', 'title_es', 'html_en', 'html_de', 'html_es', 'valid_from'],
    },
    filters: { published: { operator: 'flag', value: flag } },
    search: ['version', 'title_en', 'title_de', 'title_es'],
    sort: ['version', 'title_en', 'title_de', 'title_es', 'valid_from', 'published_at'],
    included: {},
  })
}

/** A document that a client has not confirmed yet. */
export const dueDocument = z.object({
  kind: z.enum(legalKinds),
  doc_id: id,
  version: z.string(),
  /** Since when it can be confirmed. */
  since: instant,
  /** When campaigns can no longer be started without the confirmation. */
  until: instant,
})
export type DueDocument = z.infer<typeof dueDocument>
