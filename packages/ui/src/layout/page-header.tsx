import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

export interface PageHeaderProps {
  title: string
  /** One line below the title. */
  subtitle?: ReactNode
  /** Back link before the title. */
  back?: ReactNode
  /** Status badge after the title. */
  status?: ReactNode
  /** Buttons on the right; the primary one last. */
  actions?: ReactNode
  /** Content below the heading: tabs, a stepper. */
  children?: ReactNode
}

/** Heading of a screen. */
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
