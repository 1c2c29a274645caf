import { expect, test } from 'vitest'
import { columnNameOf } from './column-name.ts'

test.each([
  ['First name', 'first_name'],
  ['Geburtsdatum (Tag)', 'geburtsdatum_tag'],
  ['Straße / Größe', 'strasse_groesse'],
  ['Prénom', 'prenom'],
  ['2nd phone', 'f_2nd_phone'],
  ['  ', ''],
  ['日本', ''],
])('%s becomes %s', (label, name) => {
  expect(columnNameOf(label)).toBe(name)
})

test('a long label becomes a name of at most 63 characters without a trailing underscore', () => {
  const name = columnNameOf(`${'a'.repeat(62)} b`)
  expect(name).toBe('a'.repeat(62))
})
