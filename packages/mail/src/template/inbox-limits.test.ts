import { expect, test } from 'vitest'
import { shownLength } from './inbox-limits.ts'

test('characters are counted as people see them', () => {
  expect(['', 'abc', 'Größe', '👩‍👩‍👧', '🇪🇸 1', 'e\u0301'].map(shownLength)).toEqual([0, 3, 5, 1, 3, 1])
})
