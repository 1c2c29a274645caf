import type { ReactNode } from 'react'
import { useFormat } from '../i18n.tsx'
import { chartColors } from './chart-series.ts'
import classes from './charts.module.css'

export interface FunnelStep {
  name: string
  value: number
  /** Share of the step's base, from the second step on; null if the base is 0. */
  share?: number | null
  /** Opens the records that the step counts. */
  onClick?: () => void
}

export interface FunnelProps {
  label: string
  steps: readonly FunnelStep[]
}

/** Funnel of the remaining count per step, as HTML bars with figures. */
export function Funnel({ label, steps }: FunnelProps): ReactNode {
  const format = useFormat()
  const first = steps[0]?.value ?? 0
  const shareOf = (value: number) => (first > 0 ? value / first : null)
  return (
    <ol className={classes.funnel} aria-label={label}>
      {steps.map((step, index) => {
        const share = step.share === undefined ? shareOf(step.value) : step.share
        const content = (
          <>
            <span>{step.name}</span>
            <span className={classes.track} aria-hidden>
              <span
                className={classes.bar}
                style={{
                  display: 'block',
                  width: `${Math.min(100, (shareOf(step.value) ?? 0) * 100)}%`,
                  background: chartColors[0],
                  opacity: Math.max(0.45, 1 - index * 0.14),
                }}
              />
            </span>
            <span className={classes.figures}>
              <strong>{format.number(step.value)}</strong>
              <span className={classes.share}>{format.percent(share)}</span>
            </span>
          </>
        )
        return (
          <li key={step.name}>
            {step.onClick ? (
              <button type="button" className={classes.step} onClick={step.onClick}>
                {content}
              </button>
            ) : (
              <div className={classes.step}>{content}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
