import { expect, it } from 'vitest'
import { MAX_ROWS_IN_VIEW, rowsInView } from './rows-in-view.ts'

const overscan = 12

it('rows in view: the visible range and the overscan', () => {
  const rows = rowsInView({ startIndex: 100, endIndex: 120, overscan, count: 10_000 })
  expect([rows[0], rows.at(-1)]).toEqual([88, 132])
})

it('rows in view: limited for a frame as high as all 10,000 rows', () => {
  const rows = rowsInView({ startIndex: 0, endIndex: 9_999, overscan, count: 10_000 })
  expect([rows[0], rows.length]).toEqual([0, MAX_ROWS_IN_VIEW + overscan])
})
