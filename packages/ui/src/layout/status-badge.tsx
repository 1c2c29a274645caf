import type { ReactNode } from 'react'
import classes from './status-badge.module.css'

/** Meaning of a status; each has one color everywhere. */
export type Tone = 'neutral' | 'info' | 'active' | 'positive' | 'caution' | 'negative'

export interface StatusBadgeProps {
  tone: Tone
  children: ReactNode
  /** Pulses the dot of a status in progress. */
  isLive?: boolean
}

/** A status as text with a colored dot. The text alone carries the meaning. */
export function StatusBadge({ tone, children, isLive }: StatusBadgeProps): ReactNode {
  return (
    <span className={classes.badge} data-tone={tone} data-live={isLive || undefined}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  )
}
