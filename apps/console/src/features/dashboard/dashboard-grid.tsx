import type { Widget as WidgetRecord } from '@emma/contract/resources/dashboard.ts'
import type { ReactNode } from 'react'
import { inOrder } from './arrange.ts'
import classes from './dashboard.module.css'
import { cellStyle } from './grid-size.ts'

interface DashboardGridProps<W extends WidgetRecord> {
  widgets: readonly W[]
  children: (widget: W) => ReactNode
}

/** Grid of widgets; stacked on narrow screens. */
export function DashboardGrid<W extends WidgetRecord>({
  widgets,
  children,
}: DashboardGridProps<W>): ReactNode {
  return (
    <div className={classes.outer}>
      <div className={classes.grid}>
        {inOrder(widgets).map(widget => (
          <div key={widget.id} className={classes.cell} style={cellStyle(widget)}>
            {children(widget)}
          </div>
        ))}
      </div>
    </div>
  )
}
