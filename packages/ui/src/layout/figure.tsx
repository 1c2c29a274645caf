import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './figure.module.css'

export interface FigureProps {
  label: string
  /** The formatted number. */
  value: ReactNode
  /** Secondary text beside it: a share, a unit. */
  note?: ReactNode
  /** Change compared with the previous period. */
  delta?: { text: string; direction: 'up' | 'down'; isGood: boolean } | undefined
  /** A sparkline. */
  chart?: ReactNode
  /** Opens the records that the number counts. */
  onClick?: () => void
  isLoading?: boolean
}

/** A large number with its label. */
export function Figure({ label, value, note, delta, chart, onClick, isLoading }: FigureProps): ReactNode {
  const content = (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.line}>
        <span className={classes.value}>{isLoading ? <Skeleton width={90} height={24} /> : value}</span>
        {note && !isLoading && <span className={classes.note}>{note}</span>}
        {delta && !isLoading && <Delta {...delta} />}
      </span>
      {chart && <span className={classes.chart}>{chart}</span>}
    </>
  )
  if (!onClick) return <div className={classes.figure}>{content}</div>
  return (
    <button type="button" className={classes.figure} data-opens onClick={onClick}>
      {content}
    </button>
  )
}

function Delta({ text, direction, isGood }: NonNullable<FigureProps['delta']>): ReactNode {
  const t = useTranslate()
  const Arrow = direction === 'up' ? IconArrowUpRight : IconArrowDownRight
  return (
    <span
      className={classes.delta}
      data-good={isGood}
      aria-label={t(direction === 'up' ? 'figure.up' : 'figure.down', { delta: text })}
      role="img"
    >
      <Arrow size={14} aria-hidden />
      {text}
    </span>
  )
}

/** A row of figures that wraps. */
export function Figures({ children }: { children: ReactNode }): ReactNode {
  return <div className={classes.figures}>{children}</div>
}
