import { expect, test } from 'vitest'
import { readTextFile } from './text-file.ts'

test('R295 texts are taken from a file of one or several languages', () => {
  expect(readTextFile('{"de":{"a":{"b":"x"}}}')).toEqual([['de', { a: { b: 'x' } }]])
  expect(readTextFile('{"es":{"a":"y"},"en":{"a":"x"}}')?.map(([lang]) => lang)).toEqual(['en', 'es'])
})

test.each(['', '[]', '{}', '{"fr":{"a":"x"}}', '{"en":{"a":1}}', '{"en":{"<b>":"x"}}', '{"en":"x"}'])(
  'R295 %s is no file of texts',
  content => expect(readTextFile(content)).toBeNull(),
)
