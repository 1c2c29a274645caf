import { type CampaignStateName, campaignState } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import type { ListQuery } from '@emma/client/list-query.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { CampaignProgressBar, useCampaignProgress } from '../../shell/resource/campaign-live.tsx'
import { CampaignBadge, campaignStateName, campaignStateNames } from '../../shell/resource/campaign-state.tsx'
import { ResourceList } from '../../shell/resource/resource-list.tsx'
import { useCategories } from '../../shell/resource/use-categories.ts'
import { usePermission } from '../../shell/session/use-session.ts'
import { ValueBadges } from './categories/value-badges.tsx'
import { CampaignRate } from './campaign-rate.tsx'
import classes from './campaigns.module.css'
import type { Campaign } from './editor/campaign-steps.ts'
import { isRestorable, startOf } from './campaign-moves.ts'
import { isStarted, useCampaignActions } from './use-campaign-actions.tsx'

const { archived, finished, stopped } = campaignState
const included = ['list', 'message']
const rates = [
  { id: 'opened', figure: 'nb_open' },
  { id: 'clicked', figure: 'nb_click' },
] as const

/** List of campaigns. Archived ones are only listed if the filter selects them. */
export default function CampaignList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const progress = useCampaignProgress()
  const stateText = (name: CampaignStateName) => t(`campaign_state.${name}`)
  const categories = useCategories()
  const seesReports = usePermission({ all: ['EmmaReport:get'] })
  const valuesOf = (row: Campaign) =>
    categories
      .flatMap(({ values }) => values)
      .filter(({ value_id }) => row.category_value_ids.includes(value_id ?? 0))
  const broughtAlong = (
    id: 'list' | 'message',
  ): Pick<Column<Campaign>, 'id' | 'header' | 'cell' | 'text'> => ({
    id,
    header: t(`campaigns.campaign.fields.${id}_id`),
    cell: row => nameOf(row[id]),
    text: row => nameOf(row[id]),
  })
  const rateColumn = ({ id, figure }: (typeof rates)[number]): Column<Campaign> => ({
    id,
    header: t(`campaigns.monitor.${id}`),
    width: 90,
    align: 'end',
    wideOnly: true,
    cell: row => <CampaignRate campaign={row} figure={figure} />,
  })
  return (
    <ResourceList
      resource={campaign}
      columns={[
        { id: 'name', cell: row => <NameWithPicture campaign={row} />, text: row => row.name },
        {
          id: 'valid',
          width: 150,
          align: 'start',
          cell: row => <CampaignBadge valid={row.valid} />,
          text: row => stateText(campaignStateName(row.valid)),
        },
        {
          id: 'progress_cur',
          width: 150,
          align: 'start',
          cell: row => <CampaignProgressBar campaign={row} live={progress.get(row.campagne_id)} />,
        },
        {
          id: 'estimated_volume',
          width: 100,
          cell: row => (row.estimated_volume > 0 ? format.number(row.estimated_volume) : '–'),
        },
        ...(seesReports ? rates.map(rateColumn) : []),
        { id: 'startdate', width: 170, cell: row => format.dateTime(startOf(row)), text: startOf },
        { ...broughtAlong('list'), wideOnly: true, width: 150 },
        { ...broughtAlong('message'), hidden: true },
        {
          id: 'category_value_ids',
          hidden: true,
          wideOnly: true,
          width: 200,
          cell: row => <ValueBadges values={valuesOf(row)} />,
          text: row =>
            valuesOf(row)
              .map(value => value.label)
              .join(', '),
        },
        { id: 'created_at', hidden: true },
      ]}
      filters={[
        {
          name: 'status',
          options: campaignStateNames.map(name => ({
            value: String(campaignState[name]),
            label: stateText(name),
          })),
        },
        ...(categories.length === 0
          ? []
          : [
              {
                name: 'category' as const,
                label: t('campaigns.campaign.fields.category_value_ids'),
                kind: 'choice' as const,
                options: categories.flatMap(({ values }) =>
                  values.flatMap(({ value_id, label }) =>
                    value_id === null ? [] : [{ value: String(value_id), label }],
                  ),
                ),
              },
            ]),
        { name: 'startdateAfter', label: t('campaigns.start_after') },
        { name: 'startdateBefore', label: t('campaigns.start_before') },
      ]}
      sort={{ field: 'created_at', descending: true }}
      load={(query, options) => api.list(campaign, withoutArchived(query), options)}
      included={included}
      href={pathOf}
      actions={useCampaignActions()}
      isRestorable={isRestorable}
    />
  )
}

/** The name, beside the template's picture if there is one. */
function NameWithPicture({ campaign: { name, screenshot } }: { campaign: Campaign }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null)
  if (!screenshot || failed === screenshot) return name
  return (
    <span className={classes.pictured}>
      <img
        className={classes.picture}
        src={screenshot}
        alt=""
        loading="lazy"
        onError={() => setFailed(screenshot)}
      />
      <span className={classes.pictureName}>{name}</span>
    </span>
  )
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
