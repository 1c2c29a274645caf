import type { CSSProperties } from 'react'
import type { Place } from './arrange.ts'

/** Pixels: a cell's height, the space between cells (dashboard.module.css says the same). */
export const rowHeight = 60
export const gap = 16

/** What is left for a chart in a widget of so many rows: without its heading, its space and the switch to the table. */
export function chartHeight(rows: number): number {
  return Math.max(80, rows * (rowHeight + gap) - gap - 44 - 16 - 30)
}

/** Where a widget stands in the grid. */
export function cellStyle({ x, y, w, h }: Place): CSSProperties {
  return { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }
}
