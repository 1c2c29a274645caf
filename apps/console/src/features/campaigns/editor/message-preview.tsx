import { queryKeys } from '@emma/client/query-keys.ts'
import { previewList } from '@emma/contract/actions/audience.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { list } from '@emma/contract/resources/list.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Select } from '@emma/ui/select/select.tsx'
import type { SelectSource } from '@emma/ui/select/select-source.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
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

/** Preview of the message for one of its recipients. */
export function MessagePreview({ messageId, listId, subject, from }: MessagePreviewProps): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const [memberId, setMemberId] = useState<number | null>(null)
  const tableId = useTableOf(listId)
  const [ownSubject] = useDebouncedValue(subject?.trim() ?? '', 400)
  const member = memberId !== null && tableId !== undefined ? memberId : 0
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: queryKeys.action(renderUnsaved, { messageId, member, tableId, ownSubject }),
    queryFn: ({ signal }) =>
      api.call(renderUnsaved, {
        params: { client_id: clientId, id: messageId ?? 0, member_id: member },
        query: member === 0 || tableId === undefined ? {} : { member_table_id: tableId },
        body: ownSubject === '' ? {} : { subject: ownSubject },
        signal,
      }),
    enabled: messageId !== null,
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
      {listId !== null && <MemberChoice listId={listId} memberId={memberId} onChoose={setMemberId} />}
    </div>
  )
}

interface MemberChoiceProps {
  listId: number
  memberId: number | null
  onChoose: (memberId: number | null) => void
}

function MemberChoice({ listId, memberId, onChoose }: MemberChoiceProps): ReactNode {
  const { t } = useTranslation()
  const mayLook = usePermission({ all: ['EmmaList:get', 'EmmaMember:get'] })
  const source = useMemo(() => membersOf(listId), [listId])
  if (!mayLook) return null
  return (
    <Select
      label={t('campaigns.preview.as')}
      placeholder={t('campaigns.preview.as')}
      source={source}
      isClearable
      value={memberId}
      onChange={onChoose}
    />
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

/** Datasource id of a segment. */
function useTableOf(listId: number | null): number | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.record(list, listId ?? 0),
    queryFn: ({ signal }) => api.find(list, listId ?? 0, {}, { signal }),
    enabled: listId !== null,
  })
  return data?.member_table_id
}
