import type { ReactNode } from 'react'
import classes from './status-badge.module.css'

/** What a status means: the same colours everywhere. */
export type Tone = 'neutral' | 'info' | 'active' | 'positive' | 'caution' | 'negative'

export interface StatusBadgeProps {
  tone: Tone
  children: ReactNode
  /** It is going on right now: the dot pulses. */
  isLive?: boolean
}

/** A state in a word, with a dot in its colour. The word says it all: colour alone tells nothing. */
export function StatusBadge({ tone, children, isLive }: StatusBadgeProps): ReactNode {
  return (
    <span className={classes.badge} data-tone={tone} data-live={isLive || undefined}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  )
}
