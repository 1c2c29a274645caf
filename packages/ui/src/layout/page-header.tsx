import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

export interface PageHeaderProps {
  title: string
  /** One line below: what it is, or the state it is in. */
  subtitle?: ReactNode
  /** A way back, before the title. */
  back?: ReactNode
  /** Behind the title: a status badge. */
  status?: ReactNode
  /** At the right; the primary button last. */
  actions?: ReactNode
  /** Under the heading: tabs, a stepper. */
  children?: ReactNode
}

/** The head of a screen. */
export function PageHeader({ title, subtitle, back, status, actions, children }: PageHeaderProps): ReactNode {
  return (
    <header className={classes.header}>
      <div className={classes.line}>
        {back}
        <div className={classes.text}>
          <div className={classes.titleLine}>
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            {status}
          </div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </header>
  )
}
