import { queryKeys } from '@emma/client/query-keys.ts'
import { endOtherSessions, endSession, listSessions } from '@emma/contract/actions/account.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { deviceOf } from './device-of.ts'
import { SettingsSection } from '../settings-section.tsx'

/** Section of a user's sessions, each of which can be ended. */
export function Sessions({ userId }: { userId: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const key = queryKeys.action(listSessions, { params: { id: userId } })
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.call(listSessions, { params: { id: userId }, ignoreCache: true }),
  })
  const settled = () => queryClient.invalidateQueries({ queryKey: key })
  const end = useMutation({
    mutationFn: (jti: string) => api.call(endSession, { params: { id: userId, jti } }),
    onSuccess: () => notify.success(t('platform.sessions.ended')),
    onError: showError,
    onSettled: settled,
  })
  const endOthers = useMutation({
    mutationFn: () => api.call(endOtherSessions, { params: { id: userId } }),
    onSuccess: ({ ended }) => notify.success(t('platform.sessions.all_ended', { count: ended })),
    onError: showError,
    onSettled: settled,
  })
  const rows = data?.data ?? []
  const isMany = rows.some(row => !row.is_current)
  return (
    <SettingsSection
      title={t('platform.sessions.title')}
      text={t('platform.sessions.text')}
      aside={
        isMany && (
          <Button
            variant="default"
            size="compact-md"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            {t(
              rows.some(row => row.is_current) ? 'platform.sessions.end_others' : 'platform.sessions.end_all',
            )}
          </Button>
        )
      }
    >
      {!data && !error && <Skeleton height={80} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <Text size="sm">{t('platform.sessions.none')}</Text>}
      {rows.length > 0 && (
        <SmallTable
          label={t('platform.sessions.title')}
          rows={rows}
          rowKey={row => row.id}
          minWidth={600}
          columns={[
            {
              id: 'device',
              header: t('platform.sessions.device'),
              cell: row => deviceOf(row.user_agent) ?? t('platform.sessions.unknown'),
            },
            { id: 'ip', header: t('platform.sessions.address'), cell: row => row.ip ?? '–' },
            {
              id: 'first',
              header: t('platform.sessions.first_seen'),
              cell: row => format.dateTime(row.first_seen_at),
            },
            {
              id: 'last',
              header: t('platform.sessions.last_seen'),
              cell: row => format.dateTime(row.last_seen_at),
            },
            {
              id: 'end',
              header: t('platform.sessions.state'),
              align: 'end',
              cell: row =>
                row.is_current ? (
                  <StatusBadge tone="positive">{t('platform.sessions.current')}</StatusBadge>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('platform.sessions.end_one', {
                      device: deviceOf(row.user_agent) ?? t('platform.sessions.unknown'),
                    })}
                    onClick={() => end.mutate(row.id)}
                  >
                    {t('platform.sessions.end')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </SettingsSection>
  )
}
