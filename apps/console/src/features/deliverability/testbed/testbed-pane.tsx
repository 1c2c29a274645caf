import { ErrorState, ForbiddenState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaneList } from './testbed-lists.ts'
import classes from './testbed.module.css'

interface TestbedPaneProps<Row> {
  label: string
  /** Search and filters above the rows. */
  head: ReactNode
  list: PaneList<Row>
  /** Row before the others. */
  first?: ReactNode
  row: (row: Row) => ReactNode
  /** Shown without rows. */
  empty: ReactNode
}

/** A pane with a fixed head and scrolling rows. */
export function TestbedPane<Row>(props: TestbedPaneProps<Row>): ReactNode {
  const { label, head, list, first, row, empty } = props
  return (
    <section className={classes.pane} aria-label={label}>
      <VisuallyHidden component="h2">{label}</VisuallyHidden>
      <div className={classes.head}>{head}</div>
      <div className={classes.scroll}>
        {list.rows && (
          <ul className={classes.rows}>
            {first}
            {list.rows.map(row)}
          </ul>
        )}
        {list.rows?.length === 0 && empty}
        <PaneFoot list={list} />
      </div>
    </section>
  )
}

function PaneFoot({ list }: { list: PaneList<unknown> }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { rows, total, error, retry, showMore } = list
  if (error && isForbidden(error)) return <ForbiddenState permissions={['Testbed:get']} />
  if (error) return <ErrorState error={error} onRetry={retry} />
  if (!rows) {
    return (
      <div className={classes.loading}>
        <TextSkeleton lines={8} />
      </div>
    )
  }
  if (rows.length >= total) return null
  const shown = { shown: format.number(rows.length), total: format.number(total) }
  return (
    <div className={classes.more}>
      <span>{t('deliverability.testbed.shown', shown)}</span>
      {showMore ? (
        <Button size="compact-xs" variant="default" onClick={showMore}>
          {t('deliverability.testbed.more')}
        </Button>
      ) : (
        <span>{t('deliverability.testbed.narrow')}</span>
      )}
    </div>
  )
}
