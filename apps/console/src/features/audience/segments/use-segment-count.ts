import { queryKeys } from '@emma/client/query-keys.ts'
import { countList } from '@emma/contract/actions/audience.ts'
import { comparesMembers, type RuleGroup } from '@emma/contract/rules.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { isComplete, storedQuery } from './segment-query.ts'

export interface SegmentQuestion {
  member_table_id: number
  query: RuleGroup
  include_unsubscribed: boolean
}

/** Typing pauses so long before the members are counted, and before all that hinders them is looked at, in ms. */
const pause = 350
const longPause = 1200

/**
 * How many members the rules find, asked while they change; unfinished rules wait. `isWholeReach` asks also who of
 * them gets no mail and where the others have their mailboxes, which takes longer. `isWithheld`: rules over data of members
 * are not counted for somebody who may not read members.
 */
export function useSegmentCount(question: SegmentQuestion, isWholeReach: boolean) {
  const body = {
    member_table_id: question.member_table_id,
    query: storedQuery(question.query),
    include_unsubscribed: question.include_unsubscribed,
    ...(isWholeReach ? {} : { total_only: true }),
  }
  const mayLook = usePermission({ all: ['EmmaMember:get'] })
  const isWithheld = !mayLook && comparesMembers(body.query)
  const [settled] = useDebouncedValue(JSON.stringify(body), isWholeReach ? longPause : pause)
  const isSettled = settled === JSON.stringify(body)
  const result = useQuery({
    queryKey: queryKeys.action(countList, settled),
    queryFn: ({ signal }) => api.call(countList, { body, signal }),
    enabled: isSettled && !isWithheld && question.member_table_id > 0 && isComplete(question.query),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  })
  const isAskable = isComplete(question.query) && !isWithheld
  return { ...result, isWithheld, isAskable, isCounting: isAskable && (result.isFetching || !isSettled) }
}
