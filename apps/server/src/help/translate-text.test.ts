import { expect, test } from 'vitest'
import { translateText } from './translate-text.ts'

const pairs = [
  ['Kampagne', 'campaign'],
  ['Wartung', 'maintenance'],
  ['Neue Kampagne', 'New campaign'],
  ['Es ist noch nichts da.', 'There is nothing yet.'],
  ['und', 'and'],
] as const

test.each([
  ['Es ist noch nichts da.', 'There is nothing yet.', 'memory'],
  ['  es ist noch   nichts da ', '  There is nothing yet ', 'memory'],
  ['Neue Kampagne!', 'New campaign!', 'memory'],
  ['Wartung und Kampagne', 'maintenance and campaign', 'glossary'],
  ['Es ist noch nichts da. Wartung heute', 'There is nothing yet. maintenance heute', 'glossary'],
  ['Quarkbällchen', 'Quarkbällchen', 'none'],
  ['Neue Kampagne\nEs ist noch nichts da.', 'New campaign\nThere is nothing yet.', 'memory'],
])('R303 %j becomes %j (%s)', (text, translatedText, origin) => {
  expect(translateText(text, pairs)).toEqual({ translatedText, origin })
})

test('R303 a word inside another one does not match', () => {
  expect(translateText('Rundung', pairs)).toEqual({ translatedText: 'Rundung', origin: 'none' })
})
