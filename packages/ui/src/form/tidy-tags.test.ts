import { expect, test } from 'vitest'
import { tidyTags } from './tidy-tags.ts'

test('tags: surrounding whitespace is removed from every tag', () => {
  expect(tidyTags(['Berlin', 'Hamburg', ' München'])).toEqual(['Berlin', 'Hamburg', 'München'])
  expect(tidyTags(['Köln ', '\tBerlin\n', '\u00a0Bonn'])).toEqual(['Köln', 'Berlin', 'Bonn'])
  expect(tidyTags(['New York'])).toEqual(['New York'])
})

test('tags: empty and repeated tags are omitted', () => {
  expect(tidyTags(['', ' ', 'Berlin', ' Berlin '])).toEqual(['Berlin'])
})
