import type { RecordOf } from '@emma/client/emma-client.ts'
import type { FilterValue } from '@emma/client/list-query.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { EmptyStateProps } from '@emma/ui/feedback/states.tsx'
import type { LoadRows } from '@emma/ui/list/list-csv.ts'
import type { BulkAction, RowAction } from '@emma/ui/list/list-parts.ts'
import { ListScreen, type ListScreenProps } from '@emma/ui/list/list-screen.tsx'
import type { ListState } from '@emma/ui/list/list-state.ts'
import { type ListStateChange, useListState } from '@emma/ui/list/use-list-state.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { useActiveSwitch } from './active-state.tsx'
import { keyOf } from './record-calls.ts'
import { labelOf } from './record-label.ts'
import { formPath, useScreen } from './use-screen.ts'
import { useRemoveActions } from './use-remove-actions.tsx'
import { type ResourceColumn, useResourceColumns } from './use-resource-columns.tsx'
import {
  type FilterName,
  filterName,
  type ResourceFilter,
  useResourceFilters,
} from './use-resource-filters.ts'

type Sort = NonNullable<ListState['sort']>

export interface ResourceRowsProps<R extends Resource>
  extends Pick<ListScreenProps<RecordOf<R>>, 'href' | 'included' | 'fill' | 'exportName'> {
  resource: R
  columns: readonly ResourceColumn<R>[]
  /** The first is always visible; the user adds the others. */
  filters?: readonly ResourceFilter<R>[]
  /** Initial order; by the record's label by default. Null: the order of the server. */
  sort?: Sort | null
  /** Filters that are always applied, e.g. the records of one service. */
  where?: { readonly [F in FilterName<R>]?: FilterValue | readonly FilterValue[] }
  /** Text key prefix; `{area}.{resource}` by default. */
  texts?: string
  /** Accessible name of the list; the screen's title by default. */
  label?: string
  /** Key of stored columns and views; the resource's name by default. */
  name?: string
  /** Name of a row; the record's label by default. */
  rowLabel?: (row: RecordOf<R>) => string
  /** Opens a row that has no page of its own; null without the permission. */
  onOpen?: ((row: RecordOf<R>) => void) | null
  /** Row actions besides activate and delete. */
  actions?: (row: RecordOf<R>) => readonly RowAction[]
  /** Actions on selected rows besides delete. */
  bulkActions?: readonly BulkAction<RecordOf<R>>[]
  isRemovable?: (row: RecordOf<R>) => boolean
  isRestorable?: (row: RecordOf<R>) => boolean
  /** False if rows cannot be selected. */
  hasBulk?: boolean
  /** Overrides of the empty state; `empty_title` and `empty_text` of the texts by default. */
  empty?: Partial<EmptyStateProps>
  /** State of a list embedded in a page; in the URL by default. */
  listState?: [ListState, ListStateChange]
  load?: LoadRows<RecordOf<R>>
}

/** List of a resource's records without the page around it; defaults come from the contract. */
export function ResourceRows<R extends Resource>(props: ResourceRowsProps<R>): ReactNode {
  const { resource, filters = [], where, rowLabel = row => labelOf(resource, row) } = props
  const { t } = useTranslation()
  const { path, title } = useScreen()
  const texts = props.texts ?? textsOf(resource)
  const textOf = (name: string) => `${texts}.${name}`
  const { sort = { field: resource.label, descending: false } } = props
  const inUrl = useUrlState(filters, sort)
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
      // With the path: members of different datasources are resources of one name.
      queryKey={[...queryKeys.lists(resource), resource.paths[0], ...(where ? [where] : [])]}
      load={load}
      state={state}
      onStateChange={onStateChange}
      {...(props.included ? { included: props.included } : {})}
      {...(props.onOpen ? { onOpen: props.onOpen } : {})}
      {...(props.onOpen === undefined
        ? { href: props.href ?? (row => formPath(path, keyOf(resource, row))) }
        : {})}
      rowActions={row => [
        ...(props.actions?.(row) ?? []),
        ...activeSwitch(row),
        ...(props.isRemovable?.(row) === false ? [] : removal.forRow(row)),
      ]}
      {...(props.hasBulk === false
        ? {}
        : { bulkActions: [...(props.bulkActions ?? []), ...removal.forMany] })}
      {...(props.exportName === undefined ? {} : { exportName: props.exportName })}
      fill={props.fill ?? true}
      empty={{
        ...props.empty,
        title: props.empty?.title ?? t(textOf('empty_title')),
        text: props.empty?.text ?? t(textOf('empty_text')),
      }}
    />
  )
}

/** Text key prefix of a resource. */
export function textsOf(resource: Resource): string {
  return `${resource.area}.${resource.name}`
}

function useUrlState<R extends Resource>(
  filters: readonly ResourceFilter<R>[],
  sort: Sort | null,
): [ListState, ListStateChange] {
  const key = JSON.stringify([filters.map(filterName), sort])
  // `filters` and `sort` are new objects at each render with the same content.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for both
  const options = useMemo(() => ({ filters: filters.map(filterName), defaults: { sort } }), [key])
  return useListState(options)
}
