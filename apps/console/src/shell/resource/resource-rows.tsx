import type { RecordOf } from '@emma/client/emma-client.ts'
import type { FilterValue } from '@emma/client/list-query.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { EmptyStateProps } from '@emma/ui/feedback/states.tsx'
import type { LoadRows } from '@emma/ui/list/list-csv.ts'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { ListScreen, type ListScreenProps } from '@emma/ui/list/list-screen.tsx'
import type { ListState } from '@emma/ui/list/list-state.ts'
import { type ListStateChange, useListState } from '@emma/ui/list/use-list-state.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { useActiveSwitch } from './active-state.tsx'
import { keyOf } from './record-calls.ts'
import { labelOf } from './record-label.ts'
import { useScreen } from './use-screen.ts'
import { useRemoveActions } from './use-remove-actions.tsx'
import { type ResourceColumn, useResourceColumns } from './use-resource-columns.tsx'
import { filterName, type ResourceFilter, useResourceFilters } from './use-resource-filters.ts'

type Sort = NonNullable<ListState['sort']>

export interface ResourceRowsProps<R extends Resource>
  extends Pick<ListScreenProps<RecordOf<R>>, 'href' | 'onOpen' | 'included' | 'fill'> {
  resource: R
  columns: readonly ResourceColumn<R>[]
  /** The first is always visible, the others are added by the person. */
  filters?: readonly ResourceFilter[]
  /** How the list opens; by the record's label when left out. */
  sort?: Sort
  /** Filters that always hold: the records of one service, of one kind. */
  where?: Readonly<Record<string, FilterValue>>
  /** Where its texts are; `{area}.{resource}` when left out. */
  texts?: string
  /** What the list is of; the screen's title when left out. */
  label?: string
  /** Names what is kept on the device for this list; the resource's name when left out. */
  name?: string
  /** What a row is called; the record's label when left out. */
  rowLabel?: (row: RecordOf<R>) => string
  /** What can be done with a row besides switching it on and off and deleting it. */
  actions?: (row: RecordOf<R>) => readonly RowAction[]
  isRemovable?: (row: RecordOf<R>) => boolean
  isRestorable?: (row: RecordOf<R>) => boolean
  /** Off where rows are not selected. */
  hasBulk?: boolean
  /** Other words for an empty list than `empty_title` and `empty_text` of its texts. */
  empty?: Partial<EmptyStateProps>
  /** The state, of a list that is a part of its page; in the URL when left out. */
  listState?: [ListState, ListStateChange]
  load?: LoadRows<RecordOf<R>>
}

/** A list of a resource's records without the page around it; what is not said follows from the contract. */
export function ResourceRows<R extends Resource>(props: ResourceRowsProps<R>): ReactNode {
  const { resource, filters = [], where, rowLabel = row => labelOf(resource, row) } = props
  const { t } = useTranslation()
  const { path, title } = useScreen()
  const texts = props.texts ?? textsOf(resource)
  const textOf = (name: string) => `${texts}.${name}`
  const inUrl = useUrlState(filters, props.sort ?? { field: resource.label, descending: false })
  const [state, onStateChange] = props.listState ?? inUrl
  const removal = useRemoveActions(resource, rowLabel, props.isRestorable)
  const activeSwitch = useActiveSwitch(resource)
  const load: LoadRows<RecordOf<R>> =
    props.load ??
    ((query, options) =>
      api.list(resource, where ? { ...query, filters: { ...query.filters, ...where } } : query, options))
  return (
    <ListScreen<RecordOf<R>>
      name={props.name ?? resource.name}
      label={props.label ?? title}
      columns={useResourceColumns(resource, props.columns, texts)}
      filters={useResourceFilters(resource, filters, texts)}
      rowKey={row => keyOf(resource, row)}
      rowLabel={rowLabel}
      queryKey={[...queryKeys.lists(resource), ...(where ? [where] : [])]}
      load={load}
      state={state}
      onStateChange={onStateChange}
      {...(props.included ? { included: props.included } : {})}
      {...(props.onOpen
        ? { onOpen: props.onOpen }
        : { href: props.href ?? (row => `${path}/edit/${keyOf(resource, row)}`) })}
      rowActions={row => [
        ...(props.actions?.(row) ?? []),
        ...activeSwitch(row),
        ...(props.isRemovable?.(row) === false ? [] : removal.forRow(row)),
      ]}
      {...(props.hasBulk === false ? {} : { bulkActions: removal.forMany })}
      fill={props.fill ?? true}
      empty={{ title: t(textOf('empty_title')), text: t(textOf('empty_text')), ...props.empty }}
    />
  )
}

/** Where a resource's texts are: its fields, the words for an empty list. */
export function textsOf(resource: Resource): string {
  return `${resource.area}.${resource.name}`
}

function useUrlState(filters: readonly ResourceFilter[], sort: Sort): [ListState, ListStateChange] {
  const key = JSON.stringify([filters.map(filterName), sort])
  // Written anew at each render by the screens, and the same nevertheless.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for both
  const options = useMemo(() => ({ filters: filters.map(filterName), defaults: { sort } }), [key])
  return useListState(options)
}
