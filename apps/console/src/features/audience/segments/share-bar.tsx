import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import classes from './share-bar.module.css'

interface ShareBarProps {
  /** The figure itself, formatted. */
  text: string
  /** 0 to 1; null where the whole is empty. */
  share: number | null
}

/** A figure with its share of the whole, drawn and in percent. */
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
