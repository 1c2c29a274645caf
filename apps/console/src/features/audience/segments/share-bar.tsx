import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import classes from './share-bar.module.css'

interface ShareBarProps {
  /** The formatted figure. */
  text: string
  /** 0 to 1; null if the total is 0. */
  share: number | null
}

/** A figure with its share of the total, as a bar and in percent. */
export function ShareBar({ text, share }: ShareBarProps): ReactNode {
  const format = useFormat()
  return (
    <span className={classes.share}>
      <span>{text}</span>
      <span className={classes.track} aria-hidden>
        <span className={classes.bar} style={{ width: `${Math.min(1, share ?? 0) * 100}%` }} />
      </span>
      <span className={classes.percent}>{format.percent(share, 0)}</span>
    </span>
  )
}
