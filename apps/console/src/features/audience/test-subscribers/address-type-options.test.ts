import { expect, test } from 'vitest'
import { addressTypeOptions } from './address-type-options.ts'
import de from '../texts/de.json' with { type: 'json' }
import en from '../texts/en.json' with { type: 'json' }
import es from '../texts/es.json' with { type: 'json' }

const { types } = en.audience.testaddress

test('R019 types of test subscribers are sorted by their label', () => {
  expect(addressTypeOptions(type => types[type], 'en')).toEqual([
    { value: 'global_seed', label: 'Global seed' },
    { value: 'imapuser', label: 'IMAP user' },
    { value: 'beleg', label: 'Proof copy' },
    { value: 'testaddr', label: 'Test subscriber' },
  ])
})

test.each([
  ['de', de.audience.testaddress.types],
  ['es', es.audience.testaddress.types],
])('R019 options are sorted by the labels of %s, which are unique', (language, labels) => {
  const options = addressTypeOptions(type => labels[type], language)
  const names = options.map(({ label }) => label)
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, language)))
  expect(new Set(names).size).toBe(4)
  for (const { value, label } of options) expect(labels[value]).toBe(label)
})
