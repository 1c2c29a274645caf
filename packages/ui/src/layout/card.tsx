import type { ReactNode } from 'react'
import classes from './card.module.css'

export interface CardProps {
  title?: string
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
  /** Content up to the edge: a table, a chart. */
  isFlush?: boolean
}

/** A part of a screen with a frame and a heading: charts, facts, small tables. */
export function Card({ title, actions, children, isFlush }: CardProps): ReactNode {
  return (
    <section className={classes.card} aria-label={title}>
      {(title ?? actions) && (
        <header className={classes.header}>
          {title && <h2 className={classes.title}>{title}</h2>}
          {actions && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      <div className={classes.body} data-flush={isFlush || undefined}>
        {children}
      </div>
    </section>
  )
}
