import { expect, test } from 'vitest'
import { columnWidth } from './column-width.ts'

const column = { id: 'a', cell: () => null, text: () => '' }

test.each([
  [{ header: 'Name', width: 92 }, 92],
  [{ header: 'Abonnenten', width: 92 }, 102],
  [{ header: 'Abonnenten', width: 92, sort: 'members' }, 120],
  [{ header: 'Letzte Änderung', width: 92, sort: 'changed' }, 105],
  [{ header: 'Abonnenten' }, undefined],
])('a column is at least as wide as the longest word of its header: %o', (given, width) => {
  expect(columnWidth({ ...column, ...given })).toBe(width)
})
