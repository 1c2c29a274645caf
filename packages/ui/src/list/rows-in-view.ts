import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/**
 * More rows than any screen shows. Limits rendering while the frame has no height of its own and is as high as all
 * rows.
 */
export const MAX_ROWS_IN_VIEW = 150

/** Indexes of the rendered rows, limited to `MAX_ROWS_IN_VIEW`. */
export function rowsInView(range: Range): number[] {
  const endIndex = Math.min(range.endIndex, range.startIndex + MAX_ROWS_IN_VIEW - 1)
  return defaultRangeExtractor({ ...range, endIndex })
}
