import type { Filter, Resource } from '@emma/contract/define-resource.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { type Fields, notInDemo, pageOf } from './demo-call.ts'

/** Default rows per page (R312). */
export const demoPage = 10

/** Filters whose operator is `special`: predicates over rows. */
export type SpecialFilters = Record<string, (row: Fields, values: readonly unknown[]) => boolean>

/**
 * A page of rows, filtered, searched and sorted according to the contract, as on the server (R306).
 *
 * @throws EmmaError `bad_request` for unknown filters and sort fields
 */
export function narrowRows(
  resource: Resource,
  rows: readonly Fields[],
  query: Fields,
  special: SpecialFilters = {},
) {
  const wanted = parseListQuery(resource, query)
  const limit = query['limit'] === undefined ? demoPage : wanted.limit
  const filters = Object.entries(wanted.filters)
  const words = wanted.search?.toLowerCase()
  const found = rows
    .filter(row => filters.every(([name, values]) => passes(resource, row, name, values, special)))
    .filter(row => words === undefined || resource.search.some(field => text(row[field]).includes(words)))
  const { field, descending } = wanted.sort ?? { field: resource.key, descending: false }
  const shown = wanted.distinct ? newestOfEach(found, wanted.distinct, resource.key) : found
  const sorted = shown.toSorted((one, other) => compare(one[field], other[field]))
  return pageOf(descending ? sorted.toReversed() : sorted, limit, wanted.offset)
}

/** One row per value of a field, the newest (R170). */
function newestOfEach(rows: readonly Fields[], field: string, key: string): Fields[] {
  const oldestFirst = rows.toSorted((one, other) => compare(one[key], other[key]))
  return [...new Map(oldestFirst.map(row => [row[field], row])).values()]
}

function passes(
  resource: Resource,
  row: Fields,
  name: string,
  values: readonly unknown[],
  special: SpecialFilters,
): boolean {
  const filter = resource.filters[name]
  if (!filter) return values.includes(row[name])
  if (filter.operator === 'special') return (special[name] ?? notInDemo)(row, values)
  return matches[filter.operator](row[filter.column ?? name], values)
}

const matches: Record<
  Exclude<Filter['operator'], 'special'>,
  (value: unknown, values: readonly unknown[]) => boolean
> = {
  eq: (value, values) => values.includes(value),
  flag: (value, values) => values.includes(value),
  contains: (value, values) => values.some(part => text(value).includes(text(part))),
  after: (value, [first]) => typeof value === 'string' && typeof first === 'string' && value >= first,
  before: (value, [first]) => typeof value === 'string' && typeof first === 'string' && value <= first,
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}

/** Compares numbers by value, strings alphabetically; null comes last. */
function compare(one: unknown, other: unknown): number {
  if (one === null || other === null || one === undefined || other === undefined)
    return Number(one === null || one === undefined) - Number(other === null || other === undefined)
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other)
  return Number(one) - Number(other)
}
