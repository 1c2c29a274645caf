import { expect, test } from 'vitest'
import { changeOf, findRows, type Filter, textRows, valueFaults } from './text-rows.ts'

const common = {
  label: '',
  optional: false,
  created_at: '',
  updated_at: '',
  created_by: null,
  updated_by: null,
  revision: 1,
}
const rows = textRows(
  [
    {
      ...common,
      language: 'en',
      localisation: { areas: { campaigns: 'Campaigns' }, hi: 'Hi {{name}}' },
      edited: [],
    },
    {
      ...common,
      language: 'de',
      localisation: { areas: { campaigns: 'Kampagnen' }, hi: 'Hallo' },
      edited: ['hi'],
    },
    { ...common, language: 'es', localisation: { areas: { campaigns: 'Campañas' } }, edited: [] },
  ],
  [
    { key: 'areas.new', seen: 2 },
    { key: 'areas.new', seen: 3 },
  ],
)
const found = (search: string, filter: Filter = 'all') => findRows(rows, search, filter).map(({ key }) => key)

test('R295 rows contain the texts of all languages, including missing keys', () => {
  expect(rows.map(({ key }) => key)).toEqual(['areas.campaigns', 'areas.new', 'hi'])
  expect(rows[0]?.texts).toEqual({ en: 'Campaigns', de: 'Kampagnen', es: 'Campañas' })
  expect(rows[1]).toMatchObject({ asked: 5, texts: { en: null, de: null, es: null } })
})

test('R295 the search covers keys and all languages, ignoring accents', () => {
  expect(found('campanas')).toEqual(['areas.campaigns'])
  expect(found('AREAS.')).toEqual(['areas.campaigns', 'areas.new'])
  expect(found('nowhere')).toEqual([])
})

test.each([
  ['edited', ['hi']],
  ['missing', ['areas.new', 'hi']],
  ['collected', ['areas.new']],
  ['faulty', ['hi']],
] as const)('R295 filter %s', (filter, keys) => {
  expect(found('', filter)).toEqual(keys)
})

test('R295 placeholders are compared with the English text', () => {
  const texts = { en: '{{count, number}} of {{total}}', de: '{{ count }} von {{summe}}', es: null }
  expect(valueFaults({ key: 'a', texts }, 'de')).toEqual({ lacks: ['total'], foreign: ['summe'] })
  expect(valueFaults({ key: 'a', texts }, 'es')).toBeNull()
  const one = { en: '{{count}} mail', de: 'Eine Mail', es: null }
  expect(valueFaults({ key: 'mails_one', texts: one }, 'de')).toBeNull()
  expect(valueFaults({ key: 'mails_other', texts: one }, 'de')).toEqual({ lacks: ['count'], foreign: [] })
})

test('R295 the change of one text is nested', () => {
  expect(changeOf('a.b.c', 'x')).toEqual({ a: { b: { c: 'x' } } })
  expect(changeOf('a', null)).toEqual({ a: null })
})
