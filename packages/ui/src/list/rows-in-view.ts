import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** More rows than any screen shows: a frame that has no height of its own yet is as high as all of its rows. */
export const MAX_ROWS_IN_VIEW = 150

/** Indexes of the rows that are drawn, never more than a screen could show. */
export function rowsInView(range: Range): number[] {
  const endIndex = Math.min(range.endIndex, range.startIndex + MAX_ROWS_IN_VIEW - 1)
  return defaultRangeExtractor({ ...range, endIndex })
}
