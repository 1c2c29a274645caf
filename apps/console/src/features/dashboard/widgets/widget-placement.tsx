import { dashboardViews } from '@emma/contract/dashboard-views.ts'
import { Sparkline } from '@emma/ui/charts/sparkline.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BodyProps } from './body-props.ts'
import { Rows, useColumnLabel } from './widget-tables.tsx'

const places = ['inbox', 'promotions', 'spam', 'missing'] as const

/** Where the emails of placement checks arrived, by provider, and the share of the inbox by day. */
export function Placement({ data, title }: BodyProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = useColumnLabel()
  const { providers, days } = dashboardViews.ipci.parse(data)
  const sent = days.reduce((sum, day) => sum + day.sent, 0)
  const inbox = days.reduce((sum, day) => sum + day.inbox, 0)
  const share = (count: number, of: number) => (of > 0 ? format.percent(count / of) : '–')
  return (
    <>
      {sent > 0 && (
        <Group justify="space-between" px="md" pt="xs" wrap="nowrap">
          <Text size="sm">{t('dashboard.in_inbox', { share: share(inbox, sent) })}</Text>
          {days.length > 1 && <Sparkline values={days.map(day => day.inbox / day.sent)} />}
        </Group>
      )}
      <Rows
        title={title}
        empty="dashboard.no_placement"
        minWidth={420}
        rows={providers}
        rowKey={row => row.provider}
        columns={[
          { id: 'name', header: label('provider'), cell: row => row.provider },
          ...places.map(place => ({
            id: place,
            header: label(place),
            align: 'end' as const,
            cell: (row: (typeof providers)[number]) => share(row[place], row.sent),
          })),
          {
            id: 'delay',
            header: label('delay'),
            align: 'end',
            cell: row => (row.delay_s === null ? '–' : format.duration(row.delay_s)),
          },
        ]}
      />
    </>
  )
}
