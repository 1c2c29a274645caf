import { expect, test } from 'vitest'
import { readTextFile } from './text-file.ts'

test('R295 a file with one or several languages is parsed', () => {
  expect(readTextFile('{"de":{"a":{"b":"x"}}}')).toEqual([['de', { a: { b: 'x' } }]])
  expect(readTextFile('{"es":{"a":"y"},"en":{"a":"x"}}')?.map(([lang]) => lang)).toEqual(['en', 'es'])
})

test.each(['', '[]', '{}', '{"fr":{"a":"x"}}', '{"en":{"a":1}}', '{"en":{"<b>":"x"}}', '{"en":"x"}'])(
  'R295 %s is not a text file',
  content => expect(readTextFile(content)).toBeNull(),
)
