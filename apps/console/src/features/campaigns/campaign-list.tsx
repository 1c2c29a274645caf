import { queryKeys } from '@emma/client/query-keys.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import type { ListQuery } from '@emma/client/list-query.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { CampaignProgressBar, useCampaignProgress } from '../../shell/resource/campaign-live.tsx'
import { CampaignBadge, campaignStateName, campaignStateNames } from '../../shell/resource/campaign-state.tsx'
import { NewButton } from '../../shell/layout/new-button.tsx'
import { Page } from '../../shell/layout/page.tsx'
import { useRemoveActions } from '../../shell/resource/use-remove-actions.tsx'
import type { Campaign } from './editor/campaign-steps.ts'
import { isRestorable, startOf } from './campaign-moves.ts'
import { isStarted, useCampaignActions } from './use-campaign-actions.tsx'

const filterNames = ['status', 'startdateAfter', 'startdateBefore']
const defaults = { sort: { field: 'created_at', descending: true } }
const included = ['list', 'message']
const { archived, finished, stopped } = campaignState

/** List of campaigns. Archived ones are only listed if the filter selects them. */
export default function CampaignList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(campaign, row => row.name, isRestorable)
  const actionsOf = useCampaignActions()
  const create = <NewButton resource={campaign} href="/campaigns/edit/new" label={t('campaigns.new')} />
  return (
    <Page title={t('screens.campaigns')} actions={create}>
      <ListScreen
        name="campaign"
        label={t('screens.campaigns')}
        columns={useColumns()}
        filters={useFilters()}
        rowKey={row => row.campagne_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(campaign)}
        load={(query, options) => api.list(campaign, withoutArchived(query), options)}
        included={included}
        state={state}
        onStateChange={setState}
        href={pathOf}
        rowActions={row => [...actionsOf(row), ...removal.forRow(row)]}
        bulkActions={removal.forMany}
        empty={{
          title: t('campaigns.empty_title'),
          text: t('campaigns.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

function useColumns(): Column<Campaign>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const progress = useCampaignProgress()
  const label = (field: string) => t(`campaigns.campaign.fields.${field}`)
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    {
      id: 'valid',
      header: label('valid'),
      sort: 'valid',
      width: 150,
      cell: row => <CampaignBadge valid={row.valid} />,
      text: row => t(`campaign_state.${campaignStateName(row.valid)}`),
    },
    {
      id: 'progress_cur',
      header: label('progress_cur'),
      sort: 'progress_cur',
      width: 170,
      cell: row => <CampaignProgressBar campaign={row} live={progress.get(row.campagne_id)} />,
    },
    {
      id: 'estimated_volume',
      header: label('estimated_volume'),
      sort: 'estimated_volume',
      width: 130,
      align: 'end',
      cell: row => (row.estimated_volume > 0 ? format.number(row.estimated_volume) : '–'),
    },
    {
      id: 'startdate',
      header: label('startdate'),
      sort: 'startdate',
      width: 190,
      cell: row => format.dateTime(startOf(row)),
      text: row => startOf(row),
    },
    {
      id: 'list',
      header: label('list_id'),
      wideOnly: true,
      width: 190,
      cell: row => nameOf(row['list']),
      text: row => nameOf(row['list']),
    },
    {
      id: 'message',
      header: label('message_id'),
      hidden: true,
      cell: row => nameOf(row['message']),
      text: row => nameOf(row['message']),
    },
    {
      id: 'created_at',
      header: t('field.created_at'),
      sort: 'created_at',
      hidden: true,
      cell: row => format.dateTime(row.created_at),
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'status',
      label: t('campaigns.campaign.fields.valid'),
      kind: 'choice',
      pinned: true,
      options: campaignStateNames.map(name => ({
        value: String(campaignState[name]),
        label: t(`campaign_state.${name}`),
      })),
    },
    { name: 'startdateAfter', label: t('campaigns.start_after'), kind: 'date' },
    { name: 'startdateBefore', label: t('campaigns.start_before'), kind: 'date' },
  ]
}

/** Path of a campaign's row: its form before the start, the monitor while it runs, its report afterwards. */
function pathOf(row: Campaign): string {
  if (!isStarted(row)) return `/campaigns/edit/${row.campagne_id}`
  const isOver = [archived, finished, stopped].some(state => state === row.valid)
  return isOver ? `/campaigns/reports/${row.campagne_id}` : `/campaigns/start/${row.campagne_id}`
}

function withoutArchived(query: ListQuery): ListQuery {
  const { status } = query.filters ?? {}
  if (status !== undefined) return query
  const others = campaignStateNames.map(name => campaignState[name]).filter(state => state !== archived)
  return { ...query, filters: { ...query.filters, status: others } }
}

/** Name of an included record. */
function nameOf(record: unknown): string {
  if (typeof record !== 'object' || record === null || !('name' in record)) return '–'
  return String(record.name)
}
