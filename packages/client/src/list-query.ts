export type FilterValue = string | number | boolean

/** Parameters of a list (R156). */
export interface ListQuery {
  filters?: Record<string, FilterValue | readonly FilterValue[] | null | undefined>
  /** Page size; missing = the client's default, `null` = no limit (the parameter is omitted, T6). */
  limit?: number | null
  offset?: number
  search?: string
  sort?: { field: string; descending?: boolean } | undefined
  /** Names of related records to include; they are merged into the rows. */
  included?: readonly string[]
  recurringOnly?: boolean
  /** Superadmins only: rows of all clients (R149). */
  superadminView?: boolean
}

/** Default page size. */
export const defaultLimit = 10

/**
 * Encodes the query: filters as repeated `name[]`, `orderby` + `desc` (`sortkey` + `sortdesc` on v2 paths, T4),
 * parameters in a fixed order so that equal queries have equal URLs.
 */
export function listSearchParams(query: ListQuery, path: string, limit = defaultLimit): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of sortedEntries(query.filters ?? {})) {
    for (const one of filterValues(value)) params.append(`${name}[]`, String(one))
  }
  if (query.limit !== null) params.set('limit', String(query.limit ?? limit))
  if (query.offset) params.set('offset', String(query.offset))
  if (query.search?.trim()) params.set('search', query.search.trim())
  if (query.sort) {
    const isV2 = path.startsWith('/v2/')
    params.set(isV2 ? 'sortkey' : 'orderby', query.sort.field)
    if (query.sort.descending) params.set(isV2 ? 'sortdesc' : 'desc', 'true')
  }
  for (const name of query.included ?? []) params.append('explicitly_included[]', name)
  if (query.recurringOnly) params.set('recurring_only', 'true')
  if (query.superadminView) params.set('superadminview', 'true')
  return params
}

/**
 * Encodes the parameters of a single read or an action: plain names; a list repeats its name, `true` stays a word.
 */
export function searchParams(query: Record<string, unknown>): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of sortedEntries(query)) {
    if (Array.isArray(value)) {
      for (const one of value) params.append(name.endsWith('[]') ? name : `${name}[]`, String(one))
    } else if (value !== undefined && value !== null && value !== '') params.set(name, asText(value))
  }
  return params
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function filterValues(
  value: FilterValue | readonly FilterValue[] | null | undefined,
): readonly FilterValue[] {
  if (value === null || value === undefined || value === '') return []
  return typeof value === 'object' ? value : [value]
}

function sortedEntries<T>(record: Record<string, T>): [string, T][] {
  return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
