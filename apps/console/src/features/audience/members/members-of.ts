import { columnFilters } from '@emma/contract/column-filters.ts'
import type { Filter } from '@emma/contract/define-resource.ts'
import { member } from '@emma/contract/resources/member.ts'
import type { Datasource } from './use-member-table.ts'

type Members = typeof member & { filters: Record<string, Filter> }

/** The members of a datasource as a resource: with its path, and filters on its own columns. */
export function membersOf(datasource: Datasource): Members {
  return {
    ...member,
    paths: [member.paths[0].replace('{member_table_id}', String(datasource.member_table_id))],
    filters: { ...member.filters, ...columnFilters(datasource.emmamembertableschema) },
  }
}
