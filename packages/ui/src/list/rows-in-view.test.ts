import { expect, it } from 'vitest'
import { MAX_ROWS_IN_VIEW, rowsInView } from './rows-in-view.ts'

const overscan = 12

it('rows in view: those of the window, and some around', () => {
  const rows = rowsInView({ startIndex: 100, endIndex: 120, overscan, count: 10_000 })
  expect([rows[0], rows.at(-1)]).toEqual([88, 132])
})

it('rows in view: few of 10,000 in a frame that is as high as all of them', () => {
  const rows = rowsInView({ startIndex: 0, endIndex: 9_999, overscan, count: 10_000 })
  expect([rows[0], rows.length]).toEqual([0, MAX_ROWS_IN_VIEW + overscan])
})
