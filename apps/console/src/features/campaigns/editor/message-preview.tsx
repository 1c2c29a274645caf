import { queryKeys } from '@emma/client/query-keys.ts'
import { previewList } from '@emma/contract/actions/audience.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { list } from '@emma/contract/resources/list.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Select } from '@emma/ui/select/select.tsx'
import type { SelectSource } from '@emma/ui/select/select-source.ts'
import { Input, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { PreviewWaits } from '../../../shell/resource/preview-waits.tsx'
import { isBusy, retryBusy } from '../../../shell/resource/retry-busy.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'
import classes from '../campaigns.module.css'

interface MessagePreviewProps {
  messageId: number | null
  /** Segment whose members can be selected for the preview. */
  listId: number | null
  /** Subject of the campaign; if empty, the message's own is used. */
  subject: string | null
  from: string
}

/** Preview of the message for a member of the segment: at first for its first one, without one with sample data. */
export function MessagePreview({ messageId, listId, subject, from }: MessagePreviewProps): ReactNode {
  const clientId = useClientId()
  const { t } = useTranslation()
  const viewer = useViewer(listId)
  const [ownSubject] = useDebouncedValue(subject?.trim() ?? '', 400)
  const { memberId, tableId } = viewer
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: queryKeys.action(renderUnsaved, { messageId, memberId, tableId, ownSubject }),
    queryFn: ({ signal }) =>
      api.call(renderUnsaved, {
        params: { client_id: clientId, id: messageId ?? 0, member_id: memberId ?? 0 },
        query: tableId === undefined ? {} : { member_table_id: tableId },
        body: ownSubject === '' ? {} : { subject: ownSubject },
        signal,
      }),
    enabled: messageId !== null && !viewer.isLoading,
    placeholderData: keepPreviousData,
    ...retryBusy,
  })
  if (messageId === null) {
    return (
      <div className={classes.noPreview}>
        <EmptyState title={t('campaigns.preview.none')} text={t('campaigns.preview.none_text')} />
      </div>
    )
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  const isWaiting = isBusy(failureReason)
  if (!data) {
    return (
      <div className={classes.stack}>
        {isWaiting && <PreviewWaits />}
        <BlockSkeleton height={560} />
      </div>
    )
  }
  return (
    <div className={classes.stack}>
      {isWaiting && <PreviewWaits />}
      <MailPreview
        html={data.html === '' ? null : data.html}
        text={data.text}
        subject={data.subject}
        {...(from === '' ? {} : { from })}
        height="min(64vh, 640px)"
        allowsRemote
      />
      {listId !== null && viewer.mayLook && (
        <MemberChoice listId={listId} memberId={memberId} onChoose={viewer.choose} />
      )}
      {memberId === null && (
        <Text size="sm" c="dimmed">
          {t('campaigns.preview.sample_text')}
        </Text>
      )}
    </div>
  )
}

interface Viewer {
  /** Null: sample data. */
  memberId: number | null
  /** Datasource of the segment. */
  tableId: number | undefined
  /** True until it is known which member is shown. */
  isLoading: boolean
  /** The user may see the members of the segment. */
  mayLook: boolean
  choose: (memberId: number | null) => void
}

/** Member that the preview is for: the chosen one, until then the first of the segment. */
function useViewer(listId: number | null): Viewer {
  const mayLook = usePermission({ all: ['EmmaList:get', 'EmmaMember:get'] })
  const [choice, setChoice] = useState<{ listId: number | null; memberId: number | null } | null>(null)
  const segment = useQuery({
    queryKey: queryKeys.record(list, listId ?? 0),
    queryFn: ({ signal }) => api.find(list, listId ?? 0, {}, { signal }),
    enabled: listId !== null,
  })
  const first = useQuery({
    queryKey: queryKeys.action(previewList, { listId, limit: 1 }),
    queryFn: ({ signal }) =>
      api.call(previewList, { params: { id: listId ?? 0 }, query: { limit: 1 }, signal }),
    enabled: listId !== null && mayLook,
  })
  const tableId = segment.data?.member_table_id
  const shown = choice?.listId === listId ? choice.memberId : (first.data?.data[0]?.member_id ?? null)
  return {
    // Members are found by their datasource.
    memberId: tableId === undefined ? null : shown,
    tableId,
    isLoading: segment.isLoading || first.isLoading,
    mayLook,
    choose: memberId => setChoice({ listId, memberId }),
  }
}

interface MemberChoiceProps {
  listId: number
  memberId: number | null
  onChoose: (memberId: number | null) => void
}

function MemberChoice({ listId, memberId, onChoose }: MemberChoiceProps): ReactNode {
  const { t } = useTranslation()
  const inputId = useId()
  const source = useMemo(() => membersOf(listId), [listId])
  return (
    <Input.Wrapper id={inputId} label={t('campaigns.preview.as')} labelProps={{ htmlFor: inputId }}>
      <Select
        inputId={inputId}
        label={t('campaigns.preview.as')}
        placeholder={t('campaigns.preview.sample')}
        source={source}
        isClearable
        value={memberId}
        onChange={onChoose}
      />
    </Input.Wrapper>
  )
}

/** Select source of a segment's members. */
function membersOf(listId: number): SelectSource<number> {
  return {
    key: ['list', 'members', listId],
    primaryKey: 'member_id',
    async load({ searchterm, skip, limit, filters }, signal) {
      const chosen = filters?.find(({ field }) => field === 'member_id')?.value ?? []
      const page = await api.call(previewList, {
        params: { id: listId },
        query: { limit, offset: skip, search: searchterm, 'member_id[]': chosen },
        signal,
      })
      return {
        data: page.data.map(member => ({ value: member.member_id, label: member.email })),
        total: page.pagination.total,
      }
    },
  }
}
