import { dashboardViews } from '@emma/contract/dashboard-views.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inLanguage } from '../../../shell/guidance/in-language.ts'
import { Rows, useColumnLabel } from './widget-tables.tsx'
import type { BodyProps } from './body-props.ts'

const tones = { info: 'info', success: 'positive', warning: 'caution', danger: 'negative' } as const

/** Table of the current messages of the day. */
export function Messages({ data, title }: BodyProps): ReactNode {
  const { i18n } = useTranslation()
  const label = useColumnLabel()
  const format = useFormat()
  const { rows } = dashboardViews.motd.parse(data)
  return (
    <Rows
      title={title}
      empty="dashboard.no_motds"
      minWidth={280}
      rows={rows}
      rowKey={row => row.id}
      columns={[
        {
          id: 'title',
          header: label('message'),
          cell: row => (
            <StatusBadge tone={tones[row.type ?? 'info']}>
              {inLanguage(row, 'title', i18n.resolvedLanguage)}
            </StatusBadge>
          ),
        },
        { id: 'startdate', header: label('since'), cell: row => format.date(row.startdate) },
      ]}
    />
  )
}
