import type { RecordOf } from '@emma/client/emma-client.ts'
import { listRecurringRuns, type RecurringRun, runStates } from '@emma/contract/actions/recurring.ts'
import type { recurring } from '@emma/contract/resources/recurring.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CampaignBadge } from '../../shell/resource/campaign-state.tsx'
import { textOfFault } from '../../shell/i18n/text-of-fault.ts'
import { LogList } from '../../shell/resource/log-list.tsx'
import { api } from '../../shell/session/api.ts'

/** Runs of a recurring campaign, also those that sent nothing, with the reason. */
export function RunLog({ record }: { record: RecordOf<typeof recurring> }): ReactNode {
  const { t } = useTranslation()
  const id = record.recurring_id
  return (
    <LogList
      name="recurring-runs"
      label={t('recurring.tabs.runs')}
      columns={useColumns()}
      action={listRecurringRuns}
      id={id}
      states={runStates}
      stateLabel={t('recurring.state')}
      stateText={state => t(`recurring.run_states.${state}`)}
      load={(query, options) => api.call(listRecurringRuns, { params: { id }, query, ...options })}
      rowKey={row => row.run_id}
      rowLabel={row => row.planned_at}
      isSearchable={false}
      empty={{ title: t('recurring.runs.empty_title'), text: t('recurring.runs.empty_text') }}
    />
  )
}

const tones = { started: 'positive', empty: 'neutral', missed: 'caution', failed: 'negative' } as const

function useColumns(): Column<RecurringRun>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const reasonOf = (row: RecurringRun) => row.faults.map(fault => textOfFault(fault)).join(' ')
  return [
    {
      id: 'planned_at',
      header: t('recurring.runs.planned_at'),
      width: 190,
      cell: row => format.dateTime(row.planned_at),
    },
    {
      id: 'state',
      header: t('recurring.state'),
      width: 150,
      cell: row => (
        <StatusBadge tone={tones[row.state]}>
          {t(`recurring.run_states.${row.is_manual ? 'manual' : row.state}`)}
        </StatusBadge>
      ),
    },
    {
      id: 'campaign',
      header: t('recurring.runs.campaign'),
      cell: row => (row.campagne_id === null ? reasonOf(row) : <CampaignOf run={row} />),
    },
    {
      id: 'estimated_volume',
      header: t('recurring.runs.volume'),
      width: 130,
      align: 'end',
      cell: row => (row.estimated_volume === null ? null : format.number(row.estimated_volume)),
    },
  ]
}

/** State of a run's campaign, and the way to its report. */
function CampaignOf({ run: { campagne_id: id, valid } }: { run: RecurringRun }): ReactNode {
  const { t } = useTranslation()
  if (id === null || valid === null) return null
  return (
    <>
      <CampaignBadge valid={valid} />{' '}
      <Anchor component={Link} to={`/campaigns/reports/${id}`} size="sm">
        {t('recurring.runs.report')}
      </Anchor>
    </>
  )
}
