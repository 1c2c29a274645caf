import type { ReactNode } from 'react'
import classes from './card.module.css'

export interface CardProps {
  title?: string
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
  /** Without padding, for tables and charts. */
  isFlush?: boolean
}

/** A bordered section of a screen with a heading. */
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
