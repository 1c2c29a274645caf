import { mostCompared } from '@emma/contract/actions/sales-view.ts'

/** What is compared: campaigns, or those of a report group. */
export type Comparison = { ids: readonly number[]; groupId?: never } | { groupId: number; ids?: never }

const key = /^[1-9]\d{0,14}$/

/** Parses the end of a comparison's path: ids joined by commas, or the id of a report group; null if it is neither. */
export function readComparison(path: string | undefined): Comparison | null {
  const parts = [...new Set(path?.split(','))].filter(part => part !== '')
  if (parts.length === 0 || parts.length > mostCompared || !parts.every(part => key.test(part))) return null
  const [first] = parts
  return path === first ? { groupId: Number(first) } : { ids: parts.map(Number) }
}

/** End of the path of a comparison of campaigns. A comma marks a single one, as the id of a group has none. */
export function comparisonId(ids: readonly number[]): string {
  return ids.length === 1 ? `${ids[0]},` : ids.join(',')
}

/** Filters of the report list. */
export function comparisonFilters({ ids, groupId }: Comparison): Record<string, readonly number[]> {
  return ids ? { campagne_id: ids } : { reportinggroup_id: [groupId] }
}
