import type { Confirmation } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import type { DemoLegalDocument } from '../demo-records.ts'
import { dayOf, daysBack } from './random.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

const words = {
  agb: {
    en: ['General terms', 'The demo is free of charge, and sends no email.'],
    de: ['Allgemeine Geschäftsbedingungen', 'Die Demo ist kostenlos und versendet keine E-Mails.'],
    es: ['Condiciones generales', 'La demo es gratuita y no envía correos.'],
  },
  bav: {
    en: ['Data processing agreement', 'The demo stores its data in your browser only.'],
    de: ['Vertrag zur Auftragsverarbeitung', 'Die Demo speichert ihre Daten nur in Ihrem Browser.'],
    es: ['Contrato de tratamiento de datos', 'La demo guarda sus datos solo en su navegador.'],
  },
} as const

/** One version of each document, confirmed for the demo's client: nothing is asked of its users (T12). */
export function seedLegalDocument({ now, person }: Seeding, kind: LegalKind): DemoLegalDocument {
  const { client_id: _client, ...stamps } = common(daysBack(now, 200), person.id)
  const texts = words[kind]
  const html = (text: string) => `<h3>1.</h3><p>${text}</p>`
  return {
    ...stamps,
    id: firstKey,
    version: '1.0',
    title_en: texts.en[0],
    title_de: texts.de[0],
    title_es: texts.es[0],
    html_en: html(texts.en[1]),
    html_de: html(texts.de[1]),
    html_es: html(texts.es[1]),
    valid_from: dayOf(daysBack(now, 190)),
    published: true,
    published_at: stamps.created_at,
    pdf: null,
  }
}

export function seedConfirmation({ now, person }: Seeding, doc: DemoLegalDocument): Confirmation {
  return {
    id: firstKey,
    doc_id: doc.id,
    version: doc.version,
    sha256: '0'.repeat(64),
    user_id: person.id,
    name: `${person.firstname} ${person.lastname}`.trim(),
    role: 'Demo',
    confirmed_at: daysBack(now, 180).toISOString(),
  }
}
