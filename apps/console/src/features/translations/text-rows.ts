import type { TextTree, TranslationRecord } from '@emma/contract/resources/translation.ts'
import { type Lang, languages } from '../../shell/i18n/i18n.ts'

/** A key with its text per language; null for a missing text. */
export interface TextRow {
  key: string
  texts: Record<Lang, string | null>
  edited: ReadonlySet<Lang>
  /** How often consoles reported the key as missing. */
  asked: number
}

export const filters = ['all', 'edited', 'missing', 'collected', 'faulty'] as const
export type Filter = (typeof filters)[number]

interface Missed {
  key: string
  seen: number
}

/** Rows of all keys of all languages, and of the reported missing ones, sorted by key. */
export function textRows(records: readonly TranslationRecord[], missed: readonly Missed[]): TextRow[] {
  const byLang = new Map(
    records.map(({ language, localisation, edited }) => [
      language,
      { texts: flatten(localisation), edited: new Set(edited) },
    ]),
  )
  const keys = new Set(missed.map(({ key }) => key))
  for (const { texts } of byLang.values()) for (const key of texts.keys()) keys.add(key)
  const asked = Map.groupBy(missed, ({ key }) => key)
  const textOf = (key: string, lang: Lang) => byLang.get(lang)?.texts.get(key) ?? null
  return [...keys].toSorted().map(key => ({
    key,
    texts: { en: textOf(key, 'en'), de: textOf(key, 'de'), es: textOf(key, 'es') },
    edited: new Set(languages.flatMap(({ lang }) => (byLang.get(lang)?.edited.has(key) ? [lang] : []))),
    asked: asked.get(key)?.reduce((sum, { seen }) => sum + seen, 0) ?? 0,
  }))
}

/** Rows that match the search, in key or any text, and the filter. */
export function findRows(rows: readonly TextRow[], search: string, filter: Filter): TextRow[] {
  const needle = plain(search.trim())
  return rows.filter(
    row =>
      passes(row, filter) &&
      [row.key, ...Object.values(row.texts)].some(text => text !== null && plain(text).includes(needle)),
  )
}

function passes(row: TextRow, filter: Filter): boolean {
  if (filter === 'edited') return row.edited.size > 0
  if (filter === 'missing') return Object.values(row.texts).some(text => !text)
  if (filter === 'collected') return row.asked > 0
  if (filter === 'faulty') return languages.some(({ lang }) => valueFaults(row, lang) !== null)
  return true
}

/** Placeholders that a text lacks, and those that the English text does not have; null if both match. */
export function valueFaults(
  { key, texts }: Pick<TextRow, 'key' | 'texts'>,
  lang: Lang,
): { lacks: string[]; foreign: string[] } | null {
  const { en: english } = texts
  const text = texts[lang]
  if (!english || !text) return null
  const [wanted, named] = [valuesOf(english), valuesOf(text)]
  // The singular may omit the number.
  if (key.endsWith('_one')) for (const values of [wanted, named]) values.delete('count')
  const lacks = [...wanted.difference(named)]
  const foreign = [...named.difference(wanted)]
  return lacks.length + foreign.length > 0 ? { lacks, foreign } : null
}

/** Placeholders of a text: `{{name}}`, `{{count, number}}`. */
function valuesOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\{\{\s*-?\s*([\w.]+)/g)].map(([, name]) => name ?? ''))
}

/** Change of one text as a nested object; null resets it to the bundled text. */
export function changeOf(key: string, text: string | null): TextTree {
  const [last = '', ...above] = key.split('.').toReversed()
  return above.reduce<TextTree>((inner, part) => ({ [part]: inner }), { [last]: text })
}

/** All texts of a tree by their full keys. */
export function flatten(tree: TextTree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, child]): [string, string][] => {
      if (child === null) return []
      return typeof child === 'string' ? [[prefix + key, child]] : [...flatten(child, `${prefix}${key}.`)]
    }),
  )
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
