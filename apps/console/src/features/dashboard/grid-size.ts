import type { CSSProperties } from 'react'
import type { Place } from './arrange.ts'

/** Cell height and gap in px; the same values are in dashboard.module.css. */
export const rowHeight = 60
export const gap = 16

/** Height in px of the chart in a widget of `rows` rows, without heading, padding and table switch. */
export function chartHeight(rows: number): number {
  return Math.max(80, rows * (rowHeight + gap) - gap - 44 - 16 - 30)
}

/** Grid position of a widget as CSS. */
export function cellStyle({ x, y, w, h }: Place): CSSProperties {
  return { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }
}
