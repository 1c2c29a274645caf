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

/** Debounce in ms: of the count, and of the slower breakdown by skip reason and provider. */
const pause = 350
const longPause = 1200

/**
 * Live count of the members that match the rules; incomplete rules are not counted. `isWholeReach` also requests skip
 * reasons and mailbox providers, which takes longer. `isWithheld`: rules over members' data are not counted without
 * permission to read members.
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
