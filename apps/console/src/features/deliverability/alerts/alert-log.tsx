import { type AlertMessage, alertMessageStates, listAlertMessages } from '@emma/contract/actions/alerts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LogList } from '../../../shell/resource/log-list.tsx'
import { api } from '../../../shell/session/api.ts'

const tones = { pending: 'active', sent: 'positive', kept: 'neutral', failed: 'negative' } as const

/** List of the messages of an alert of the last 90 days. */
export function AlertLog({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.alert.log.${key}`)
  return (
    <LogList
      name="alert-log"
      label={t('deliverability.alert.tabs.log')}
      columns={useColumns()}
      action={listAlertMessages}
      id={id}
      states={alertMessageStates}
      stateLabel={text('state')}
      stateText={state => text(`states.${state}`)}
      load={(query, options) => api.call(listAlertMessages, { params: { id }, query, ...options })}
      rowKey={row => row.message_id}
      rowLabel={row => row.recipient}
      isSearchable={false}
      isBusy={row => row.state === 'pending'}
      empty={{ title: text('empty_title'), text: text('empty_text') }}
    />
  )
}

function useColumns(): Column<AlertMessage>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`deliverability.alert.log.${key}`)
  return [
    { id: 'created_at', header: text('time'), width: 180, cell: row => format.dateTime(row.created_at) },
    { id: 'kind', header: text('kind'), width: 130, cell: row => text(`kinds.${row.kind}`) },
    { id: 'recipient', header: text('recipient'), cell: row => row.recipient },
    {
      id: 'value',
      header: text('value'),
      width: 110,
      align: 'end',
      cell: row => (row.value === null ? '–' : format.number(row.value)),
    },
    { id: 'subjects', header: text('subjects'), cell: row => row.subjects.join(', ') },
    {
      id: 'state',
      header: text('state'),
      width: 190,
      cell: row => <StatusBadge tone={tones[row.state]}>{text(`states.${row.state}`)}</StatusBadge>,
    },
    { id: 'error', header: text('error'), cell: row => errorText(row.error) },
  ]

  function errorText(error: string | null): string {
    return error === 'mail_off' ? text('mail_off') : (error ?? '')
  }
}
