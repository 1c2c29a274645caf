import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import type { WidgetType } from '@emma/contract/resources/dashboard.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { Stack } from '@mantine/core'
import { IconArrowsLeftRight, IconChartHistogram, IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useCategories } from '../../../shell/resource/use-categories.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { chartHeight } from '../grid-size.ts'
import { ReportGroupForm } from './report-group-form.tsx'
import { Widget } from '../widgets/widget.tsx'
import type { ReportGroup } from './report-group.ts'

/** List of report groups, whose campaigns are reported as one (R233). */
export default function ReportGroups(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayChange } = useRights(reportingGroup)
  const values = useCategories().flatMap(category => category.values)
  const valuesOf = (ids: readonly number[]) =>
    values
      .filter(({ value_id }) => ids.includes(value_id ?? 0))
      .map(({ label }) => label)
      .join(', ')
  const [edited, setEdited] = useState<ReportGroup | 'new' | null>(null)
  const [reported, setReported] = useState<ReportGroup | null>(null)
  const actions = (row: ReportGroup): RowAction[] => [
    {
      id: 'report',
      label: t('report_groups.report'),
      icon: <IconChartHistogram size={16} />,
      run: () => setReported(row),
    },
    {
      id: 'compare',
      label: t('report_groups.compare'),
      icon: <IconArrowsLeftRight size={16} />,
      run: () =>
        navigate({
          to: '/campaigns/reports/compare/$id',
          params: { id: String(row.reportinggroup_id) },
        }),
    },
    ...(mayChange
      ? [
          {
            id: 'change',
            label: t('report_groups.change'),
            icon: <IconPencil size={16} />,
            run: () => setEdited(row),
          },
        ]
      : []),
  ]
  return (
    <>
      <ResourceList
        resource={reportingGroup}
        texts="report_groups"
        columns={[
          'name',
          { id: 'description', wideOnly: true },
          {
            id: 'campaigns',
            width: 160,
            cell: row => t('report_groups.count', { count: row.campaigns }),
            text: row => row.campaigns,
          },
          {
            id: 'category_value_ids',
            cell: row => valuesOf(row.category_value_ids),
            text: row => valuesOf(row.category_value_ids),
          },
          'updated_at',
        ]}
        onOpen={setReported}
        onNew={() => setEdited('new')}
        actions={actions}
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
    </>
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
