import { ApiError } from '@emma/client/api-error.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { memberActivity } from '@emma/contract/actions/audience.ts'
import { member } from '@emma/contract/resources/member.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { Timeline } from '@emma/ui/layout/timeline.tsx'
import { Box, Button, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { ForbiddenScreen } from '../../../shell/states/forbidden-screen.tsx'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRecordId } from '../../../shell/layout/record-page.tsx'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { useActivityEntry } from './activity-entry.tsx'
import { MemberBadge } from './member-state.tsx'
import { useMember } from './use-member.ts'
import { useMemberTable } from './use-member-table.ts'

const pageSize = 50

/** Timeline of a member's events, newest first. */
export default function MemberActivity(): ReactNode {
  const { t } = useTranslation()
  const screenTitle = useScreenTitle()
  const id = useRecordId()
  const { chosen, isPending, error } = useMemberTable()
  const table = chosen?.member_table_id ?? 0
  const isKnown = table > 0 && typeof id === 'number'
  const toEntry = useActivityEntry()
  const person = useMember(chosen, id)
  const activity = useInfiniteQuery({
    queryKey: [...queryKeys.record(member, `${table}.${id ?? 'new'}`), 'activity'],
    queryFn: ({ pageParam, signal }) =>
      api.call(memberActivity, {
        params: { member_table_id: table, member_id: id ?? 0 },
        query: { limit: pageSize, offset: pageParam },
        signal,
        ignoreCache: true,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.length * pageSize
      return shown < last.pagination.total ? shown : null
    },
    enabled: isKnown,
  })
  const failure = error ?? person.error ?? activity.error
  const isMissing = !chosen && !isPending && !error
  if (typeof id !== 'number' || isMissing || (failure instanceof ApiError && failure.status === 404))
    return <NotFoundScreen />
  if (failure && isForbidden(failure))
    return <ForbiddenScreen missing={[`${(error ? membertable : member).entity}:get`]} />
  const rows = activity.data?.pages.flatMap(page => page.data) ?? []
  return (
    <Page
      back="/subscribers/archive"
      backSearch={{ table }}
      title={person.data?.email ?? screenTitle}
      status={person.data && <MemberBadge member={person.data} />}
      subtitle={t('screens.subscriber_activity')}
      actions={
        <Button
          renderRoot={props => (
            <Link to="/subscribers/edit/$id" params={{ id: String(id) }} search={{ table }} {...props} />
          )}
          variant="default"
          leftSection={<IconPencil size={16} />}
        >
          {t('audience.member.edit')}
        </Button>
      }
    >
      {failure && <ErrorState error={failure} onRetry={() => void activity.refetch()} />}
      {!failure && activity.isPending && <TextSkeleton lines={8} />}
      {activity.data && (
        <Box maw={860}>
          <VisuallyHidden component="h2">{t('screens.subscriber_activity')}</VisuallyHidden>
          <Timeline label={t('screens.subscriber_activity')} entries={rows.map(toEntry)} />
        </Box>
      )}
      {activity.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={activity.isFetchingNextPage}
          onClick={() => void activity.fetchNextPage()}
        >
          {t('audience.member.older')}
        </Button>
      )}
    </Page>
  )
}
