import { textTree, type TextTree, type TranslationRecord } from '@emma/contract/resources/translation.ts'
import { z } from 'zod'
import type { Lang } from '../../shell/i18n/i18n.ts'

const fileSchema = z
  .strictObject({ en: textTree.optional(), de: textTree.optional(), es: textTree.optional() })
  .refine(languages => Object.keys(languages).length > 0)

/** JSON file of all languages, for translators: `{ en: { … }, de: { … }, es: { … } }`. */
export function textFile(records: readonly TranslationRecord[]): Blob {
  const texts = Object.fromEntries(records.map(row => [row.language, row.localisation]))
  return new Blob([JSON.stringify(texts, null, 2)], { type: 'application/json' })
}

/** Parses such a file; null if it is invalid. */
export function readTextFile(content: string): [Lang, TextTree][] | null {
  try {
    const { en, de, es } = fileSchema.parse(JSON.parse(content))
    const all: [Lang, TextTree | undefined][] = [
      ['en', en],
      ['de', de],
      ['es', es],
    ]
    return all.flatMap(([lang, texts]): [Lang, TextTree][] => (texts ? [[lang, texts]] : []))
  } catch {
    return null
  }
}
