import type { EmmaClient, RecordOf } from '@emma/client/emma-client.ts'
import type { FilterValue } from '@emma/client/list-query.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { QueryKey } from '@tanstack/react-query'

/** Options per page (R267). */
const selectPageSize = 25

export type SelectValue = string | number

/** An option of a select (R020). */
export interface SelectOption<V extends SelectValue = SelectValue> {
  value: V
  label: string
  /** Secondary line. */
  description?: string
  screenshot?: { url_large: string; url_small: string } | null
  isDisabled?: boolean
}

export interface SelectFilter {
  field: string
  operator: 'eq' | 'in'
  value: readonly FilterValue[]
}

/** Query of a select with a source (R268). */
export interface SelectQuery {
  client_id?: number
  distinct?: string
  doi_link?: boolean
  filters?: readonly SelectFilter[]
  limit: number
  sort?: { field: string; descending?: boolean }
  searchterm: string
  skip: number
  test?: boolean
}

/** A page of options, and the total number. */
export interface SelectPage<V extends SelectValue> {
  data: readonly SelectOption<V>[]
  total: number
}

/** Source of a select's options, page by page. */
export interface SelectSource<V extends SelectValue> {
  /** Query key; equal for equal sources. */
  key: QueryKey
  /** Field of the values, by which missing labels are looked up. */
  primaryKey: string
  /** Added to every query. */
  query?: Partial<SelectQuery>
  load(query: SelectQuery, signal?: AbortSignal): Promise<SelectPage<V>>
}

/** Query of the page after `skip` options. */
export function pageQuery<V extends SelectValue>(
  source: SelectSource<V>,
  searchterm: string,
  skip: number,
): SelectQuery {
  return { ...source.query, searchterm: searchterm.trim(), skip, limit: selectPageSize }
}

/** Query of the labels of selected values: by primary key, with an `in` filter (R268). */
export function lookUpQuery<V extends SelectValue>(
  source: SelectSource<V>,
  values: readonly V[],
): SelectQuery {
  const { client_id, test } = source.query ?? {}
  return {
    // Without the source's filters: a selected record may no longer match them.
    ...(client_id === undefined ? {} : { client_id }),
    ...(test === undefined ? {} : { test }),
    filters: [{ field: source.primaryKey, operator: 'in', value: values }],
    searchterm: '',
    skip: 0,
    limit: values.length,
  }
}

export interface ResourceSourceOptions<R extends Resource> {
  toOption: (record: RecordOf<R>) => Omit<SelectOption<number>, 'value'>
  /** Filters of the contract that limit the options. */
  filters?: Readonly<Record<string, readonly FilterValue[]>>
  sort?: { field: string; descending?: boolean }
  included?: readonly string[]
  query?: Partial<SelectQuery>
}

/** Source of a resource's records: `resourceSource(api, domain, { toOption: row => ({ label: row.name }) })`. */
export function resourceSource<R extends Resource>(
  api: Pick<EmmaClient, 'list'>,
  resource: R,
  options: ResourceSourceOptions<R>,
): SelectSource<number> {
  const { toOption, filters = {}, sort, included, query } = options
  return {
    key: [...queryKeys.lists(resource), 'select', filters, sort ?? null],
    primaryKey: resource.key,
    ...(query ? { query } : {}),
    async load(selectQuery, signal) {
      const isLookUp = selectQuery.filters?.some(filter => filter.field === resource.key) ?? false
      const page = await api.list(
        resource,
        {
          filters: { ...(isLookUp ? {} : filters), ...filtersOf(selectQuery) },
          limit: selectQuery.limit,
          offset: selectQuery.skip,
          search: selectQuery.searchterm,
          sort: selectQuery.sort ?? sort,
          ...(included ? { included } : {}),
        },
        { signal },
      )
      const data = page.data.map(record => ({ ...toOption(record), value: Number(record[resource.key]) }))
      return { data, total: page.pagination.total }
    },
  }
}

/** The query fields of R268 that are sent as filters. */
function filtersOf(query: SelectQuery): Record<string, readonly FilterValue[]> {
  const filters: Record<string, readonly FilterValue[]> = {}
  for (const { field, value } of query.filters ?? []) filters[field] = value
  if (query.client_id !== undefined) filters.client_id = [query.client_id]
  if (query.distinct !== undefined) filters.distinct = [query.distinct]
  if (query.doi_link !== undefined) filters.doi_link = [query.doi_link]
  if (query.test !== undefined) filters.test = [query.test]
  return filters
}
