import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { de } from './words.de.ts'
import { en } from './words.en.ts'
import { es } from './words.es.ts'
import { type Words, createSay } from './words.tsx'

const placeholders = (text: string) => new Set(text.match(/\{\w+\}/g))

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path) && !/(^|\/)words\.\w\w\.ts$|\.test\./.test(path))
  .map(path => readFileSync(join(import.meta.dirname, path), 'utf8'))
  .join('\n')

/** Said literally, by its stem for a count, or put together behind a prefix: `say(`op.${operator}`)`. */
function isSaid(word: string): boolean {
  const stem = word.replace(/\.(one|other)$/, '')
  const prefix = word.slice(0, word.lastIndexOf('.') + 1)
  return [`'${word}'`, `'${stem}'`, `\`${prefix}\${`].some(text => sources.includes(text))
}

describe('the kit’s words', () => {
  it('has no word that nobody says', () => {
    expect(Object.keys(en).filter(word => !isSaid(word))).toEqual([])
  })

  it.each([
    ['de', de],
    ['es', es],
  ] as const)('has every word in %s, with the same placeholders as in English', (_language, words) => {
    const english: Words = en
    expect(Object.keys(words).toSorted((a, b) => a.localeCompare(b))).toEqual(
      Object.keys(en).toSorted((a, b) => a.localeCompare(b)),
    )
    const marks = (dictionary: Words) =>
      Object.fromEntries(Object.entries(dictionary).map(([word, text]) => [word, placeholders(text)]))
    expect(marks(words)).toEqual(marks(english))
  })

  it('fills in values and chooses the form by count', () => {
    const say = createSay('de', de)
    expect(say('list.view_saved', { name: 'Neu' })).toBe('Ansicht „Neu“ gespeichert')
    expect([say.count('list.total', 1), say.count('list.total', 12_345)]).toEqual([
      '1 Eintrag',
      '12.345 Einträge',
    ])
  })

  it('leaves a placeholder it has no value for', () => {
    expect(createSay('en', en)('list.sort_by', { other: 'x' })).toBe('Sort by {name}')
  })
})
