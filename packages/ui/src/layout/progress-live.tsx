import type { ReactNode } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import classes from './progress-live.module.css'

export interface ProgressLiveProps {
  label: string
  done: number
  total: number
  /** Items per second. */
  rate?: number | null
  /** Seconds left. */
  remaining?: number | null
  isRunning: boolean
  tone?: 'active' | 'positive' | 'caution' | 'negative'
}

/** Progress of a running job: bar, count, rate and time left. */
export function ProgressLive(props: ProgressLiveProps): ReactNode {
  const { label, done, total, rate, remaining, isRunning, tone = 'active' } = props
  const t = useTranslate()
  const format = useFormat()
  const share = total > 0 ? Math.min(1, done / total) : 0
  const count = t('progress.of', { done: format.number(done), total: format.number(total) })
  const details = [
    rate === null || rate === undefined ? null : t('progress.rate', { rate: format.number(rate, 0) }),
    remaining === null || remaining === undefined
      ? null
      : t('progress.eta', { duration: format.duration(remaining) }),
  ].filter(detail => detail !== null)
  return (
    <div className={classes.progress} data-tone={tone}>
      <div className={classes.line}>
        <span>{count}</span>
        <span className={classes.share}>{format.percent(total > 0 ? share : null)}</span>
      </div>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={[count, ...details].join(', ')}
      >
        <div
          // Remounted when the total changes, so that the bar does not animate backwards.
          key={total}
          className={classes.bar}
          data-running={isRunning || undefined}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {details.length > 0 && <div className={classes.details}>{details.join(' · ')}</div>}
    </div>
  )
}
