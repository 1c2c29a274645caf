import { expect, test } from 'vitest'
import { usesModule } from './uses-module.ts'

test.each([
  ['<p>{{ module.imprint }}</p>', true],
  ['{{module.Imprint}}', true],
  ['{{ module.imprint2 }}', false],
  ['{{ module.imprint-de }}', false],
  ['module.imprint', false],
  ['{{ member.imprint }}', false],
  ['{{ data.imprint.name }}', true],
  ['{% for one in data.imprint %}', true],
  ['{{ data.imprint2 }} data.imprint', false],
])('%s contains the placeholder "imprint": %s', (text, expected) => {
  expect(usesModule(text, 'imprint')).toBe(expected)
})
