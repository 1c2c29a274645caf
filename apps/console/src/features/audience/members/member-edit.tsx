import { member } from '@emma/contract/resources/member.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { ApiError } from '@emma/client/api-error.ts'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ForbiddenScreen } from '../../../shell/states/forbidden-screen.tsx'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRecordId } from '../../../shell/layout/record-page.tsx'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { MemberForm } from './member-form.tsx'
import { MemberFacts } from './member-facts.tsx'
import { MemberActions } from './member-actions.tsx'
import { MemberBadge } from './member-state.tsx'
import { NoDatasource } from '../datasources/no-datasource.tsx'
import { useMember } from './use-member.ts'
import { useMemberTable } from './use-member-table.ts'

/** Form of a member of a datasource (`?table=7`). */
export default function MemberEdit(): ReactNode {
  const { t } = useTranslation()
  const screenTitle = useScreenTitle()
  const id = useRecordId()
  const { chosen: datasource, isPending, error: datasourceError } = useMemberTable()
  const table = datasource?.member_table_id ?? 0
  const { data, error: memberError, refetch } = useMember(datasource, id)
  const error = datasourceError ?? memberError
  if (id === undefined || (error instanceof ApiError && error.status === 404)) return <NotFoundScreen />
  if (error && isForbidden(error))
    return <ForbiddenScreen missing={[`${(datasourceError ? membertable : member).entity}:get`]} />
  const isReady = datasource !== null && (id === null || data !== undefined)
  return (
    <Page
      back="/subscribers/archive"
      backSearch={{ table }}
      title={id === null ? t('audience.member.new') : (data?.email ?? screenTitle)}
      status={data && <MemberBadge member={data} />}
      subtitle={datasource?.name}
      actions={data && <MemberActions table={table} member={data} />}
    >
      {!datasource && !isPending && !error && <NoDatasource />}
      {isReady && (
        <Stack key={`${table}.${id ?? 'new'}`} gap="lg">
          {data && <MemberFacts member={data} />}
          <MemberForm datasource={datasource} record={data ?? null} />
        </Stack>
      )}
      {!isReady && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!isReady && !error && (isPending || datasource) && <FormSkeleton />}
    </Page>
  )
}
