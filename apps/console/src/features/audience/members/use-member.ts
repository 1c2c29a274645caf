import { queryKeys } from '@emma/client/query-keys.ts'
import { member } from '@emma/contract/resources/member.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { reloadRecord } from '../../../shell/resource/record-calls.ts'
import { membersOf } from './members-of.ts'
import type { Datasource } from './use-member-table.ts'

/** A member of a datasource; not loaded without an id. */
export function useMember(datasource: Datasource | null, id: number | null | undefined) {
  return useQuery({
    queryKey: queryKeys.record(member, `${datasource?.member_table_id}.${id ?? 'new'}`),
    queryFn: datasource && typeof id === 'number' ? () => reloadRecord(membersOf(datasource), id) : skipToken,
  })
}
