import { alert } from '@emma/contract/resources/alert.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { AlertState } from './alert-state.tsx'
import { useConditionText, useFigureText } from './use-condition-text.ts'

/** List of alerts with their condition, the figure read last, and their state. */
export default function AlertList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const conditionOf = useConditionText()
  const figureText = useFigureText()
  return (
    <ResourceList
      resource={alert}
      subtitle={t('deliverability.alert.subtitle')}
      columns={[
        'name',
        { id: 'metric', header: t('deliverability.alert.condition'), cell: conditionOf, text: conditionOf },
        {
          id: 'value',
          width: 120,
          align: 'end',
          cell: row => figureText(row.metric, row.value),
        },
        { id: 'state', width: 150, cell: row => <AlertState record={row} />, text: row => row.state },
        { id: 'fired_at', width: 180, cell: row => format.relative(row.fired_at) },
      ]}
      filters={['metric', 'state', { name: 'onlyactive', pinned: false }]}
    />
  )
}
