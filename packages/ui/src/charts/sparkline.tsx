import type { ReactNode } from 'react'
import classes from './charts.module.css'
import { sparklinePath } from './sparkline-path.ts'

export interface SparklineProps {
  values: readonly number[]
  /** Accessible name; without it, the sparkline is decorative beside a number. */
  label?: string
  width?: number
  height?: number
  color?: string
}

/** Small line chart for a row of a list; plain SVG, so that hundreds are cheap. */
export function Sparkline(props: SparklineProps): ReactNode {
  const { values, label, width = 96, height = 24, color = 'var(--emma-chart-1)' } = props
  if (values.length < 2) return null
  const line = sparklinePath(values, width, height)
  return (
    <svg
      className={classes.sparkline}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={`${line} L${width},${height} L0,${height} Z`} fill={color} opacity={0.12} />
      <path d={line} fill="none" stroke={color} strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}
