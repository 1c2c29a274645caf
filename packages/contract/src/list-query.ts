import { z } from 'zod'
import type { Resource } from './define-resource.ts'
import { flag, queryId, queryInstant, queryKey, queryText } from './fields.ts'
import { EmmaError, type FieldError, fieldError } from './errors.ts'
import { checkFault, faultOfIssue } from './schema-faults.ts'

/** Default page size of requests with a page number (R156), and the maximum (T6). */
export const defaultLimit = 10
export const maximumLimit = 10_000

/** Parsed query of a list, common to all resources (R156, T4, T5). */
export interface ListQuery {
  limit: number
  offset: number
  search: string | null
  sort: { field: string; descending: boolean } | null
  /** Returns one row per value of this field, the newest (R170). */
  distinct?: string | null
  /** Values by filter, parsed to the filter's type. */
  filters: Record<string, unknown[]>
  included: string[]
  superadminview: boolean
  /** Only recurring campaigns' records, in lists that support it (R156). */
  recurringOnly?: boolean
}

type RawQuery = Record<string, unknown>

const pageNumber = z.coerce
  .string()
  .regex(/^\d{1,15}$/, checkFault('field.not_negative'))
  .transform(Number)

const positive = pageNumber.pipe(
  z.int().min(1, checkFault('field.one_or_more')).max(1_000_000, checkFault('field.too_large')),
)

/**
 * Parses the query string of a list. `name[]=v` and `name=v` both filter; `orderby`+`desc` takes precedence over
 * `sortkey`+`sortdesc`; `skip` is an alias of `offset`, `pagesize` of `limit`, and `page` counts from 1 (T5).
 * @throws EmmaError `bad_request` with all unknown parameters, filters, sort fields and included names (T4)
 */
export function parseListQuery(resource: Resource, query: RawQuery): ListQuery {
  const errors: FieldError[] = []
  const read = <T>(field: string, schema: z.ZodType<T>, fallback: T): T => {
    const value = query[field]
    if (value === undefined) return fallback
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    errors.push(firstError(field, parsed.error))
    return fallback
  }

  const page = read<number | null>('page', positive, null)
  const size = read('pagesize', positive, page === null ? maximumLimit : defaultLimit)
  const limit = Math.min(read('limit', pageNumber, size), maximumLimit)
  const offset = read('offset', pageNumber, read('skip', pageNumber, ((page ?? 1) - 1) * limit))
  const search = read<string | null>('search', queryText, null)
  const superadminview = read('superadminview', flag, false)
  const recurringOnly = read('recurring_only', flag, false)
  const sort = readSort(resource, query, errors)
  const distinct = readDistinct(resource, query, errors)
  const included = readIncluded(resource, query, errors)
  const filters = readFilters(resource, query, errors)

  if (errors.length > 0) throw badQuery(errors)
  return {
    limit,
    offset,
    search: search === '' ? null : search,
    sort,
    distinct,
    filters,
    included,
    superadminview,
    recurringOnly,
  }
}

/** Query parameters of a single record (R157), accepted by all resources, whether they use them or not. */
const recordOptions: Record<string, z.ZodType> = {
  email: queryText,
  end_date: queryInstant,
  secret: queryText,
  start_date: queryInstant,
  test: flag,
  unsub: flag,
  client_id: queryId,
}

/**
 * Parses the query string of a single record; returns the names of related records to include.
 * @throws EmmaError `bad_request` with all unknown parameters and invalid options of R157
 */
export function parseRecordQuery(resource: Resource, query: RawQuery): string[] {
  const errors: FieldError[] = []
  const included = readIncluded(resource, query, errors)
  for (const [field, value] of Object.entries(query)) {
    if (field === 'explicitly_included' || field === 'explicitly_included[]') continue
    const option = Object.hasOwn(recordOptions, field) ? recordOptions[field] : undefined
    const parsed = option?.safeParse(value)
    if (!parsed) errors.push(fieldError(field, 'field.parameter_unknown'))
    else if (!parsed.success) errors.push(firstError(field, parsed.error))
  }
  if (errors.length > 0) throw badQuery(errors)
  return included
}

function readIncluded(resource: Resource, query: RawQuery, errors: FieldError[]): string[] {
  const included = asList(query['explicitly_included[]'] ?? query.explicitly_included).map(String)
  for (const wanted of included) {
    if (!Object.hasOwn(resource.included, wanted))
      errors.push(fieldError('explicitly_included', 'field.included_unknown', { name: wanted }))
  }
  return [...new Set(included)]
}

const general = new Set([
  'limit',
  'offset',
  'skip',
  'page',
  'pagesize',
  'distinct',
  'search',
  'orderby',
  'desc',
  'sortkey',
  'sortdesc',
  'explicitly_included',
  'recurring_only',
  'superadminview',
])

function readSort(resource: Resource, query: RawQuery, errors: FieldError[]): ListQuery['sort'] {
  const [key, direction] = query.orderby === undefined ? ['sortkey', 'sortdesc'] : ['orderby', 'desc']
  const field = query[key]
  if (field === undefined) return null
  if (typeof field !== 'string' || !isSortable(resource, field)) {
    const fields = resource.sort.join(', ')
    errors.push(
      typeof field === 'string'
        ? fieldError(key, 'field.sort_unknown', { field, fields })
        : fieldError(key, 'field.sort_several', { fields }),
    )
    return null
  }
  const parsed = flag.safeParse(query[direction] ?? false)
  if (!parsed.success) errors.push(fieldError(direction, 'field.yes_no'))
  return { field, descending: parsed.data === true }
}

/** Fields for `distinct`: those that can be sorted by, and those that can be filtered by whole values. */
export function distinctFields(resource: Resource): string[] {
  const columns = Object.entries(resource.filters).flatMap(([name, { operator, column = name }]) =>
    operator === 'eq' ? [column] : [],
  )
  return [...new Set([...resource.sort, ...columns])]
}

function readDistinct(resource: Resource, query: RawQuery, errors: FieldError[]): string | null {
  const field = query.distinct ?? query['distinct[]']
  if (field === undefined || field === '') return null
  if (typeof field === 'string' && distinctFields(resource).includes(field)) return field
  errors.push(fieldError('distinct', 'field.distinct_unknown'))
  return null
}

/** Every list can also be sorted by key, `created_at` and `updated_at`. */
function isSortable(resource: Resource, field: string): boolean {
  return resource.sort.includes(field) || [resource.key, 'created_at', 'updated_at'].includes(field)
}

function readFilters(resource: Resource, query: RawQuery, errors: FieldError[]): Record<string, unknown[]> {
  const filters: Record<string, unknown[]> = {}
  for (const [parameter, raw] of Object.entries(query)) {
    const field = parameter.endsWith('[]') ? parameter.slice(0, -2) : parameter
    if (general.has(field)) continue
    const filter = Object.hasOwn(resource.filters, field) ? resource.filters[field] : undefined
    const schema = filter?.value ?? ownFilter(resource, field)
    if (!schema) {
      errors.push(fieldError(field, 'field.filter_unknown'))
      continue
    }
    const values = z.array(schema).max(1000, checkFault('field.too_many_items')).safeParse(asList(raw))
    if (values.success) filters[field] = values.data
    else errors.push(firstError(field, values.error))
  }
  return filters
}

/** Every list can be filtered by key (lookup of selected values, R268) and, for tenant resources, by client. */
function ownFilter(resource: Resource, field: string): z.ZodType | undefined {
  if (field === resource.key)
    return queryKey.refine(value => resource.fields[field]?.safeParse(value).success, checkFault('field.key'))
  if (field === 'client_id' && resource.tenant) return queryId
  return undefined
}

function asList(value: unknown): unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** First fault of each parameter: later ones often follow from it. */
function firstError(field: string, { issues: [issue] }: z.ZodError): FieldError {
  return issue ? { field, ...faultOfIssue(issue) } : fieldError(field, 'field.invalid')
}

function badQuery(errors: FieldError[]): EmmaError {
  return new EmmaError('bad_request', undefined, errors)
}
