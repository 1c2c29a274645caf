import type { RecordOf } from '@emma/client/emma-client.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../shell/resource/resource-list.tsx'
import { useScheduleWords } from './schedule/use-schedule-words.ts'
import { useRunActions } from './use-run-action.tsx'

type Recurring = RecordOf<typeof recurring>

/** List of recurring campaigns, each schedule in words, with its last and next run. */
export default function RecurringList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const words = useScheduleWords()
  const scheduleOf = (row: Recurring) =>
    row.trigger === 'calendar'
      ? words.sentence(row.schedule)
      : t(`recurring.words.${row.yearly ? 'every_year_of' : 'on_date'}`, {
          column: row.date_column ?? '',
          time: words.clock(row.schedule.time),
        })
  const stateOf = ({ active, next_run }: Recurring) =>
    active ? (next_run === null ? 'ended' : 'active') : 'paused'
  return (
    <ResourceList
      resource={recurring}
      subtitle={t('recurring.subtitle')}
      columns={[
        'name',
        {
          id: 'schedule',
          header: t('recurring.recurring.fields.schedule'),
          width: 340,
          cell: scheduleOf,
          text: scheduleOf,
        },
        {
          id: 'active',
          header: t('recurring.state'),
          width: 130,
          cell: row => (
            <StatusBadge tone={tones[stateOf(row)]}>{t(`recurring.states.${stateOf(row)}`)}</StatusBadge>
          ),
          text: row => t(`recurring.states.${stateOf(row)}`),
        },
        { id: 'next_run', width: 180, cell: row => format.dateTime(row.next_run), text: row => row.next_run },
        { id: 'last_run', width: 180, cell: row => format.dateTime(row.last_run), text: row => row.last_run },
        { id: 'updated_at', hidden: true },
      ]}
      filters={[{ name: 'onlyactive', pinned: false }]}
      actions={useRunActions()}
    />
  )
}

const tones = { active: 'positive', paused: 'caution', ended: 'neutral' } as const
