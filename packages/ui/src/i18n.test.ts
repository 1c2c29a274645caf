import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTranslate, flattenMessages } from './i18n.tsx'
import deTexts from './texts/de.json' with { type: 'json' }
import enTexts from './texts/en.json' with { type: 'json' }
import esTexts from './texts/es.json' with { type: 'json' }

const [en, de, es] = [
  flattenMessages(enTexts.kit),
  flattenMessages(deTexts.kit),
  flattenMessages(esTexts.kit),
]

const placeholders = (text: string) => new Set(text.match(/\{\w+\}/g))

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map(path => readFileSync(join(import.meta.dirname, path), 'utf8'))
  .join('\n')

/** True if the sources contain the key, its stem with a count, or a template with its prefix: `t(`op.${operator}`)`. */
function isUsed(key: string): boolean {
  const stem = key.replace(/\.(one|other)$/, '')
  const prefix = key.slice(0, key.lastIndexOf('.') + 1)
  return [`'${key}'`, `'${stem}'`, `\`${prefix}\${`].some(text => sources.includes(text))
}

describe('the kit’s texts', () => {
  it('are all used', () => {
    expect(Object.keys(en).filter(key => !isUsed(key))).toEqual([])
  })

  it.each([
    ['de', de],
    ['es', es],
  ] as const)('have every key in %s, with the same placeholders as in English', (_language, texts) => {
    expect(Object.keys(texts).toSorted((a, b) => a.localeCompare(b))).toEqual(
      Object.keys(en).toSorted((a, b) => a.localeCompare(b)),
    )
    const placeholdersByKey = (messages: Record<string, string>) =>
      Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, placeholders(text)]))
    expect(placeholdersByKey(texts)).toEqual(placeholdersByKey(en))
  })

  it('interpolate values and select the plural form by count', () => {
    const t = createTranslate('de', de)
    expect(t('list.view_saved', { name: 'Neu' })).toBe('Ansicht „Neu“ gespeichert')
    expect([t.count('list.total', 1), t.count('list.total', 12_345)]).toEqual([
      '1 Eintrag',
      '12.345 Einträge',
    ])
  })

  it('keep a placeholder without a value', () => {
    expect(createTranslate('en', en)('list.sort_by', { other: 'x' })).toBe('Sort by {name}')
  })
})
