import { expect, test } from 'vitest'
import { comparisonId, readComparison } from './read-comparison.ts'

test.each([
  ['7', { groupId: 7 }],
  ['7,', { ids: [7] }],
  ['7,8,7', { ids: [7, 8] }],
  ['', null],
  [',', null],
  ['0', null],
  ['7,x', null],
  ['7 8', null],
  ['1e3', null],
  [undefined, null],
  [Array.from({ length: 51 }, (_, index) => index + 1).join(','), null],
])('R039 %s is compared', (path, comparison) => {
  expect(readComparison(path)).toEqual(comparison)
})

test('R039 the path of a comparison is read as the same campaigns', () => {
  for (const ids of [[7], [7, 8]]) expect(readComparison(comparisonId(ids))).toEqual({ ids })
})
