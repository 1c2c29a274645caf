import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { ErrorState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ApiError } from '@emma/client/api-error.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { ForbiddenScreen } from '../states/forbidden-screen.tsx'
import { NotFoundScreen } from '../states/not-found-screen.tsx'
import { type BackAddress, Page } from './page.tsx'
import { RecordHistory } from '../resource/record-history.tsx'
import { labelOf } from '../resource/record-label.ts'
import { useListPath } from '../resource/use-screen.ts'
import { useScreenTitle } from './use-screen-title.ts'

interface RecordPageProps<R extends Resource> {
  resource: R
  /** The list that the record belongs to; derived from the URL by default. */
  back?: BackAddress
  /** Heading of a record, or of a new one (`null`). Its label, or the text `new`, by default. */
  title?: (record: RecordOf<R> | null) => string
  subtitle?: (record: RecordOf<R>) => ReactNode
  actions?: (record: RecordOf<R>) => ReactNode
  included?: readonly string[]
  children: (record: RecordOf<R> | null, id: number | null) => ReactNode
}

/**
 * Screen of the record in the URL (`/edit/7`, `/edit/new`): loads it and renders the loading, forbidden, not found and
 * error states. The form inside is remounted for each record.
 */
export function RecordPage<R extends Resource>(props: RecordPageProps<R>): ReactNode {
  const { resource, subtitle, actions, included = [], children } = props
  const { t } = useTranslation()
  const listPath = useListPath()
  const screenTitle = useScreenTitle()
  const id = useRecordId()
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.record(resource, id ?? 'new'), included],
    queryFn: ({ signal }) => api.find(resource, id ?? 0, { included }, { signal, ignoreCache: true }),
    enabled: id !== null && id !== undefined,
  })
  if (id === undefined || (error instanceof ApiError && error.status === 404)) return <NotFoundScreen />
  if (error && !data && isForbidden(error)) return <ForbiddenScreen missing={[`${resource.entity}:get`]} />
  const record = data ?? null
  const title =
    props.title ?? (one => (one ? labelOf(resource, one) : t(`${resource.area}.${resource.name}.new`)))
  const isReady = id === null || record !== null
  return (
    <Page
      back={props.back ?? listPath}
      title={isReady ? title(record) : screenTitle}
      subtitle={record && subtitle?.(record)}
      actions={
        record && (
          <>
            {actions?.(record)}
            {typeof id === 'number' && <RecordHistory resource={resource} id={id} />}
          </>
        )
      }
    >
      {isReady && <div key={id ?? 'new'}>{children(record, id)}</div>}
      {!isReady && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!isReady && !error && <FormSkeleton />}
    </Page>
  )
}

/** The id at the end of the URL; `null` for `new`, `undefined` for anything else. */
export function useRecordId(): number | null | undefined {
  const { id }: { id?: string } = useParams({ strict: false })
  if (id === 'new') return null
  return id !== undefined && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined
}
