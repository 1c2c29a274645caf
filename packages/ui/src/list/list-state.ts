import type { ListQuery } from '@emma/client/list-query.ts'

export interface ListSort {
  field: string
  descending: boolean
}

/** State of a list, kept in the URL for links, reloads and Back. */
export interface ListState {
  search: string
  /** Values per filter, as in the URL. A filter without values is absent. */
  filters: Readonly<Record<string, readonly string[]>>
  sort: ListSort | null
  /** Starts at 1. */
  page: number
  pageSize: number
}

export const pageSizes = [10, 25, 50, 100, 250, 500] as const

export const initialListState: ListState = { search: '', filters: {}, sort: null, page: 1, pageSize: 25 }

/** Search parameters of a list: `q`, `sort` (`-name` = descending), `page`, `size`; any other is a filter. */
export type ListSearch = Record<string, unknown>

const reserved = new Set(['q', 'sort', 'page', 'size'])

/**
 * Parses the URL's search parameters; invalid values count as absent. Parameters that are no filter of the list are
 * ignored, since they may belong to other components.
 */
export function readListState(
  search: ListSearch,
  filterNames: readonly string[],
  defaults: Partial<ListState> = {},
): ListState {
  const base = { ...initialListState, ...defaults }
  const filters: Record<string, readonly string[]> = {}
  for (const name of filterNames) {
    const values = reserved.has(name) ? [] : asTexts(search[name])
    if (values.length > 0) filters[name] = values
  }
  const hasFilters = Object.keys(filters).length > 0
  return {
    search: search.q === undefined ? base.search : (asTexts(search.q)[0] ?? ''),
    filters: hasFilters ? filters : search.q === undefined ? base.filters : {},
    sort: typeof search.sort === 'string' ? parseSort(search.sort) : base.sort,
    page: positive(search.page) ?? 1,
    pageSize: knownSize(search.size) ?? base.pageSize,
  }
}

/** The state as search parameters, without defaults, to keep URLs short. */
export function writeListState(state: ListState, defaults: Partial<ListState> = {}): ListSearch {
  const base = { ...initialListState, ...defaults }
  const search: ListSearch = {}
  if (state.search !== base.search) search.q = state.search
  for (const [name, values] of Object.entries(state.filters)) {
    if (values.length === 1) search[name] = asUrlValue(values[0] ?? '')
    else if (values.length > 1) search[name] = values.map(asUrlValue)
  }
  if (!sameSort(state.sort, base.sort)) search.sort = state.sort ? formatSort(state.sort) : ''
  if (state.page > 1) search.page = state.page
  if (state.pageSize !== base.pageSize) search.size = state.pageSize
  return search
}

/** The list query of the state. */
export function toListQuery(state: ListState, included?: readonly string[]): ListQuery {
  return {
    limit: state.pageSize,
    offset: (state.page - 1) * state.pageSize,
    search: state.search,
    filters: state.filters,
    sort: state.sort ?? undefined,
    ...(included ? { included } : {}),
  }
}

/** Next sort after a click on a column header: ascending, descending, then the list's default. */
export function nextSort(current: ListSort | null, field: string): ListSort | null {
  if (current?.field !== field) return { field, descending: false }
  return current.descending ? null : { field, descending: true }
}

/** Sets the values of a filter (none removes it) and goes back to the first page. */
export function withFilter(state: ListState, name: string, values: readonly string[]): ListState {
  const { [name]: _, ...others } = state.filters
  return { ...state, page: 1, filters: values.length === 0 ? others : { ...others, [name]: values } }
}

export function withoutNarrowing(state: ListState): ListState {
  return { ...state, search: '', filters: {}, page: 1 }
}

/** True if search or filters are set. */
export function isNarrowed(state: ListState): boolean {
  return state.search.trim() !== '' || Object.keys(state.filters).length > 0
}

export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

function parseSort(text: string): ListSort | null {
  const descending = text.startsWith('-')
  const field = descending ? text.slice(1) : text
  return field === '' ? null : { field, descending }
}

function formatSort(sort: ListSort): string {
  return `${sort.descending ? '-' : ''}${sort.field}`
}

function sameSort(a: ListSort | null, b: ListSort | null): boolean {
  return a?.field === b?.field && a?.descending === b?.descending
}

function positive(value: unknown): number | null {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

function knownSize(value: unknown): number | null {
  return pageSizes.find(size => size === Number(value)) ?? null
}

function asTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(asTexts)
  if (typeof value === 'string') return value === '' ? [] : [value]
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
}

/** Numbers and booleans are written bare; the router would quote their text. */
function asUrlValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
