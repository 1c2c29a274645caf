import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { guidedTour } from '@emma/contract/resources/guided-tour.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActiveColumn, useActiveSwitch } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { usePlayTour } from '../../../shell/guidance/use-tours.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useUpdatedColumn } from '../../../shell/resource/use-updated-column.ts'

type Tour = RecordOf<typeof guidedTour>

const path = '/system/guided-tours'
const filterNames = ['onlyactive', 'path']
const defaults = { sort: { field: 'name', descending: false } }

/** The tours through the console, and who gets them by itself. */
export default function TourList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(guidedTour, row => row.name)
  const activeSwitch = useActiveSwitch(guidedTour)
  const play = usePlayTour()
  const create = (
    <NewButton resource={guidedTour} href={`${path}/edit/new`} label={t('tours.guided_tour.new')} />
  )
  const filters: ListFilter[] = [
    { name: 'onlyactive', label: t('state.only_active'), kind: 'flag', pinned: true },
    { name: 'path', label: t('tours.guided_tour.fields.path'), kind: 'text' },
  ]
  return (
    <Page title={t('screens.tours')} actions={create}>
      <ListScreen
        name="guided_tour"
        label={t('screens.tours')}
        columns={useColumns()}
        filters={filters}
        rowKey={row => row.id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(guidedTour)}
        load={(query, options) => api.list(guidedTour, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.id}`}
        rowActions={row => [
          {
            id: 'play',
            label: t('tours.play'),
            icon: <IconPlayerPlay size={16} />,
            disabled: row.steps.length === 0 ? t('tours.guided_tour.no_steps') : undefined,
            run: () => play({ ...row, seen: true }),
          },
          ...activeSwitch(row),
          ...removal.forRow(row),
        ]}
        bulkActions={removal.forMany}
        empty={{
          title: t('tours.guided_tour.empty_title'),
          text: t('tours.guided_tour.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

function useColumns(): Column<Tour>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const active = useActiveColumn()
  const label = (field: string) => t(`tours.guided_tour.fields.${field}`)
  const updated = useUpdatedColumn()
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    { id: 'path', header: label('path'), sort: 'path', cell: row => row.path },
    {
      id: 'steps',
      header: label('steps'),
      width: 90,
      align: 'end',
      cell: row => format.number(row.steps.length),
      text: row => row.steps.length,
    },
    {
      id: 'autoplay',
      header: label('autoplay'),
      width: 160,
      cell: row => t(row.autoplay ? 'tours.guided_tour.by_itself' : 'tours.guided_tour.on_demand'),
    },
    active,
    updated,
  ]
}
