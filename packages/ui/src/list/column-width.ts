import type { Column } from './list-parts.ts'

/** Average width of a character in a header, in px, on the wide side: nothing is measured. */
const characterWidth = 7.8
/** Padding of a header's cell. */
const padding = 24
/** The arrow of a sortable column, and its gap. */
const arrow = 18

/**
 * Width of a column in px; undefined if it takes the space that is left. At least that of the longest word of its header:
 * headers wrap between words only, and the words of some languages are longer.
 */
export function columnWidth({ width, header, sort }: Column<never>): number | undefined {
  if (width === undefined) return undefined
  const longest = Math.max(...header.split(/[\s-]/).map(word => word.length))
  return Math.max(width, Math.ceil(longest * characterWidth) + padding + (sort === undefined ? 0 : arrow))
}
