import { queryKeys } from '@emma/client/query-keys.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import type { WidgetType } from '@emma/contract/resources/dashboard.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { Button, Stack } from '@mantine/core'
import { IconChartHistogram, IconPencil, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import { useUpdatedColumn } from '../../../shell/resource/use-updated-column.ts'
import { chartHeight } from '../grid-size.ts'
import { ReportGroupForm } from './report-group-form.tsx'
import { Widget } from '../widgets/widget.tsx'
import type { ReportGroup } from './report-group.ts'

const defaults = { sort: { field: 'name', descending: false } }
const icon = 16

/** List of report groups, whose campaigns are reported as one (R233). */
export default function ReportGroups(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ defaults })
  const { mayCreate, mayChange } = useRights(reportingGroup)
  const [edited, setEdited] = useState<ReportGroup | 'new' | null>(null)
  const [reported, setReported] = useState<ReportGroup | null>(null)
  const removal = useRemoveActions(reportingGroup, row => row.name)
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={icon} stroke={2} />} onClick={() => setEdited('new')}>
      {t('report_groups.new')}
    </Button>
  )
  return (
    <Page title={t('screens.report_groups')} actions={create}>
      <ListScreen
        name="reportinggroup"
        label={t('screens.report_groups')}
        columns={useColumns()}
        rowKey={row => row.reportinggroup_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(reportingGroup)}
        load={(query, options) => api.list(reportingGroup, query, options)}
        state={state}
        onStateChange={setState}
        onOpen={setReported}
        rowActions={row => [
          {
            id: 'report',
            label: t('report_groups.report'),
            icon: <IconChartHistogram size={icon} />,
            run: () => setReported(row),
          },
          ...(mayChange
            ? [
                {
                  id: 'change',
                  label: t('report_groups.change'),
                  icon: <IconPencil size={icon} />,
                  run: () => setEdited(row),
                },
              ]
            : []),
          ...removal.forRow(row),
        ]}
        bulkActions={removal.forMany}
        empty={{ title: t('report_groups.none'), text: t('report_groups.none_text'), action: create }}
      />
      {edited && <ReportGroupForm group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <DetailsDrawer
        title={reported?.name}
        size="xl"
        isOpen={reported !== null}
        onClose={() => setReported(null)}
      >
        {reported && <CombinedReport group={reported} />}
      </DetailsDrawer>
    </Page>
  )
}

const shown: readonly { type: WidgetType; h: number }[] = [
  { type: 'funnel', h: 4 },
  { type: 'rates', h: 5 },
  { type: 'campaigns', h: 5 },
  { type: 'links', h: 4 },
  { type: 'bounces', h: 4 },
]

/** Dashboard widgets with the figures of one report group. */
function CombinedReport({ group }: { group: ReportGroup }): ReactNode {
  const { t } = useTranslation()
  const options = { reportinggroup_id: group.reportinggroup_id, days: 90 as const }
  return (
    <Stack>
      {group.description}
      {shown.map(({ type, h }) => (
        <div key={type} style={{ minHeight: chartHeight(h) }}>
          <Widget
            widget={{
              id: type,
              type,
              x: 0,
              y: 0,
              w: 12,
              h,
              options,
              ...(type === 'funnel' ? { title: t('report_groups.report') } : {}),
            }}
          />
        </div>
      ))}
    </Stack>
  )
}

function useColumns(): Column<ReportGroup>[] {
  const { t } = useTranslation()
  const updated = useUpdatedColumn()
  return [
    { id: 'name', header: t('report_groups.fields.name'), sort: 'name', cell: row => row.name },
    {
      id: 'description',
      header: t('report_groups.fields.description'),
      wideOnly: true,
      cell: row => row.description,
    },
    {
      id: 'campaign_ids',
      header: t('report_groups.fields.campaign_ids'),
      width: 160,
      cell: row => t('report_groups.count', { count: row.campaign_ids.length }),
      text: row => row.campaign_ids.length,
    },
    updated,
  ]
}
