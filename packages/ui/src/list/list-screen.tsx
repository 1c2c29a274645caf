import { isUnreachable } from '@emma/client/api-error.ts'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type QueryKey, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  EmptyState,
  type EmptyStateProps,
  ErrorState,
  ForbiddenState,
  isForbidden,
} from '../feedback/states.tsx'
import { usePreference } from '../use-preference.ts'
import { useUiSettings } from '../ui-settings.tsx'
import { useTranslate } from '../i18n.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { applyColumnChoice, columnChoice } from './column-choice.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { LoadRows } from './list-csv.ts'
import { ListFooter } from './list-footer.tsx'
import {
  type BulkAction,
  type BulkOpening,
  type Column,
  type ListFilter,
  type RowAction,
  virtualFrom,
} from './list-parts.ts'
import classes from './list-screen.module.css'
import {
  type ListState,
  isNarrowed,
  nextSort,
  pageCount,
  toListQuery,
  withoutNarrowing,
} from './list-state.ts'
import { ListTable, ListTableSkeleton } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { RowMenu } from './row-menu.tsx'
import { SavedViews } from './saved-views.tsx'
import { useFillHeight } from './use-fill-height.ts'
import { useListExport } from './use-list-export.ts'
import { useListKeys } from './use-list-keys.ts'
import type { ListStateChange } from './use-list-state.ts'

/** Height of the footer in px. */
const footerHeight = 64

export interface ListScreenProps<Row> {
  /** Key of stored columns and views of this list. */
  name: string
  /** Accessible name in the plural: "Mail classes". */
  label: string
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** Name of a row, for screen readers and messages. */
  rowLabel: (row: Row) => string
  /** Query key of the resource's lists, by which they are invalidated. */
  queryKey: QueryKey
  /** Loads one page: `(query, options) => api.list(mailclasses, query, options)`. */
  load: LoadRows<Row>
  state: ListState
  onStateChange: ListStateChange
  /** Related records to include in each row. */
  included?: readonly string[]
  filters?: readonly ListFilter[]
  isSearchable?: boolean
  /** Path of a row's page: linked from the first column, opened by a click or Enter. */
  href?: (row: Row) => string
  /** Opens a row without a page of its own, e.g. in a drawer. */
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => readonly RowAction[]
  bulkActions?: readonly (BulkAction<Row> | BulkOpening<Row>)[]
  /** Empty state of a list without any records. */
  empty: EmptyStateProps
  /** Base name of the exported file; `false`: no export. `name` by default. */
  exportName?: string | false
  /** Polling interval in ms for live lists; `false` stops. */
  poll?: (rows: readonly Row[]) => number | false
  /** Fills the remaining height of the window. Turn off inside a drawer or between other content. */
  fill?: boolean
}

/**
 * List of records with search, filters, sorting, columns, saved views, pagination, selection, actions, export, keyboard
 * shortcuts, and the loading, empty, error and forbidden states. The caller owns its state (usually in the URL).
 */
export function ListScreen<Row>(props: ListScreenProps<Row>): ReactNode {
  const { name, columns, state, onStateChange, rowActions, bulkActions, fill = true } = props
  const queryClient = useQueryClient()
  const scrollRef = useRef<HTMLDivElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const [choice, setChoice] = usePreference(`columns.${name}`, columnChoice)
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ row: Row; button: HTMLElement } | null>(null)
  const list = useList(props)
  const selection = useSelection(list.rows, props.rowKey)
  const open = useOpen(props)
  const exportAs = useListExport({
    name,
    filename: typeof props.exportName === 'string' ? props.exportName : name,
    columns: applyColumnChoice(columns, choice).flatMap(({ column, isVisible }) =>
      isVisible ? [column] : [],
    ),
    query: toListQuery(state, props.included),
    load: props.load,
  })
  const rowKey = (row: Row) => String(props.rowKey(row))

  // The page is beyond the last one, after a deletion or by an old link: goes to the last page.
  const lastPage = pageCount(list.total, state.pageSize)
  const isBeyond = !list.isFirst && !list.isPrevious && list.total > 0 && state.page > lastPage
  useEffect(() => {
    if (isBeyond) onStateChange({ ...state, page: lastPage }, { replace: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per finding out
  }, [isBeyond])

  useFillHeight(scrollRef, {
    below: footerHeight,
    isOn: fill && list.rows.length > 0,
    isBounded: list.rows.length > virtualFrom,
  })
  useListKeys(
    {
      onMove: by => {
        const at = list.rows.findIndex(row => rowKey(row) === activeKey)
        const next = list.rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), list.rows.length - 1)]
        if (next !== undefined) setActiveKey(rowKey(next))
      },
      onSelect: () => {
        if (bulkActions && activeKey !== null) selection.toggle([activeKey], !selection.keys.has(activeKey))
      },
      onOpen: () => {
        const row = list.rows.find(candidate => rowKey(candidate) === activeKey)
        if (row !== undefined) open?.(row)
      },
      onSearch: () => searchRef.current?.focus(),
      onLeave: () => selection.clear(),
    },
    fill,
  )

  const arranged = applyColumnChoice(columns, choice)
  const visible = arranged.flatMap(({ column, isVisible }) => (isVisible ? [column] : []))
  if (list.error && isForbidden(list.error)) return <ForbiddenState />

  return (
    <section className={classes.screen} aria-label={props.label}>
      <ListToolbar
        state={state}
        onStateChange={onStateChange}
        columns={columns}
        filters={props.filters ?? []}
        isSearchable={props.isSearchable ?? true}
        searchRef={searchRef}
        isFetching={list.isFetching}
        onRefresh={list.refresh}
        onExport={props.exportName === false ? undefined : exportAs}
      >
        <SavedViews
          name={name}
          state={state}
          columns={choice}
          onChoose={(next, nextColumns) => {
            setChoice(nextColumns)
            onStateChange(next)
          }}
        />
        <ColumnMenu columns={arranged} onChange={setChoice} />
      </ListToolbar>
      {list.refreshError !== null && list.rows.length > 0 && (
        <RefreshFailed error={list.refreshError} onRetry={list.refresh} />
      )}
      <div
        className={classes.frame}
        data-bounded={list.rows.length > virtualFrom || undefined}
        ref={scrollRef}
      >
        <ListBody {...props} list={list}>
          <ListTable
            label={props.label}
            columns={visible}
            rows={list.rows}
            rowKey={rowKey}
            rowLabel={props.rowLabel}
            total={list.total}
            offset={(state.page - 1) * state.pageSize}
            sort={state.sort}
            onSort={field => onStateChange({ ...state, page: 1, sort: nextSort(state.sort, field) })}
            selected={bulkActions ? selection.keys : null}
            onSelect={selection.toggle}
            activeKey={activeKey}
            onActivate={setActiveKey}
            onOpen={open}
            href={props.href}
            onMenu={rowActions ? (row, button) => setMenu({ row, button }) : undefined}
            menuKey={menu ? rowKey(menu.row) : null}
            isUpdating={list.isPrevious}
            scrollRef={scrollRef}
          />
        </ListBody>
      </div>
      {list.rows.length > 0 && (
        <ListFooter
          state={state}
          total={list.total}
          onChange={next => {
            onStateChange(next)
            scrollRef.current?.scrollTo({ top: 0 })
          }}
          onNextLikely={() => list.prefetch(state.page + 1)}
        />
      )}
      {bulkActions && (
        <BulkBar
          rows={selection.rows}
          actions={bulkActions}
          rowLabel={props.rowLabel}
          onClear={selection.clear}
          onDone={() => {
            selection.clear()
            void queryClient.invalidateQueries({ queryKey: props.queryKey })
          }}
        />
      )}
      {menu && rowActions && (
        <RowMenu anchor={menu.button} actions={rowActions(menu.row)} onClose={() => setMenu(null)} />
      )}
    </section>
  )
}

/** Opens a row: by `onOpen`, or by navigating to its page. */
function useOpen<Row>({ href, onOpen }: ListScreenProps<Row>): ((row: Row) => void) | undefined {
  const router = useRouter({ warn: false })
  if (onOpen) return onOpen
  return href ? row => router.history.push(href(row)) : undefined
}

interface LoadedList<Row> {
  rows: readonly Row[]
  total: number
  error: unknown
  /** Error of a failed refetch; the shown rows are older. */
  refreshError: unknown
  isFirst: boolean
  /** The rows belong to the previous query. */
  isPrevious: boolean
  isFetching: boolean
  refresh: () => void
  prefetch: (page: number) => void
}

/** Milliseconds until a list is loaded again after the server did not answer. */
const unreachableRetry = 3_000

function useList<Row>(props: ListScreenProps<Row>): LoadedList<Row> {
  const { queryKey, load, state, included, poll } = props
  const queryClient = useQueryClient()
  const isForced = useRef(false)
  const optionsOf = (at: ListState) => {
    const query = toListQuery(at, included)
    return {
      queryKey: [...queryKey, query],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const ignoreCache = isForced.current || poll !== undefined
        isForced.current = false
        return load(query, { signal, ignoreCache })
      },
    }
  }
  const result = useQuery({
    ...optionsOf(state),
    placeholderData: keepPreviousData,
    refetchInterval({ state: { data, error } }) {
      if (!data && isUnreachable(error)) return unreachableRetry
      return poll && data ? poll(data.data) : false
    },
  })
  return {
    rows: result.data?.data ?? [],
    total: result.data?.pagination.total ?? 0,
    error: result.data ? null : result.error,
    refreshError: result.data ? result.error : null,
    isFirst: result.isPending,
    isPrevious: result.isPlaceholderData,
    isFetching: result.isFetching,
    refresh: () => {
      isForced.current = true
      void result.refetch()
    },
    prefetch: page => void queryClient.prefetchQuery({ ...optionsOf({ ...state, page }), staleTime: 10_000 }),
  }
}

function RefreshFailed({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const t = useTranslate()
  const { errorText } = useUiSettings()
  return (
    <div className={classes.notice} role="alert">
      <span>
        {t('list.refresh_failed')} {errorText(error)}
      </span>
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  )
}

/** The rows, or the loading, empty or error state. */
function ListBody<Row>(
  props: ListScreenProps<Row> & { list: LoadedList<Row>; children: ReactNode },
): ReactNode {
  const { list, state, onStateChange, empty, columns } = props
  const t = useTranslate()
  if (list.isFirst) {
    return (
      <ListTableSkeleton
        columns={Math.min(columns.filter(column => !column.hidden).length, 5)}
        rows={Math.min(state.pageSize, 10)}
      />
    )
  }
  if (list.error) return <ErrorState error={list.error} onRetry={list.refresh} />
  if (list.rows.length > 0) return props.children
  if (!isNarrowed(state) && state.page === 1) return <EmptyState {...empty} />
  return (
    <EmptyState
      title={t('list.empty_filtered_title')}
      text={t('list.empty_filtered_text')}
      action={
        <Button variant="default" onClick={() => onStateChange(withoutNarrowing(state))}>
          {t('list.empty_filtered_action')}
        </Button>
      }
    />
  )
}

/** Selected rows, including those on other pages. */
function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const current = new Map(rows.map(row => [String(keyOf(row)), row]))
  return {
    keys: new Set(selected.keys()),
    /** Current versions of visible rows, last known versions of the others. */
    rows: [...selected].map(([key, row]) => current.get(key) ?? row),
    toggle: (keys: readonly string[], isSelected: boolean) => {
      setSelected(before => {
        const after = new Map(before)
        for (const key of keys) {
          const row = current.get(key)
          if (!isSelected) after.delete(key)
          else if (row !== undefined) after.set(key, row)
        }
        return after
      })
    },
    clear: () => setSelected(new Map()),
  }
}
