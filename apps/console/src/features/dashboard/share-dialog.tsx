import { queryKeys } from '@emma/client/query-keys.ts'
import { listShares, revokeShare, shareDashboard } from '@emma/contract/actions/dashboard.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { showError } from '../../shell/i18n/error-text.ts'
import type { Dashboard } from './use-dashboards.ts'

const lives = [7, 30, 90, 365] as const

/** Dialog of a dashboard's share links: create, list, revoke. */
export function ShareDialog({ board, onClose }: { board: Dashboard; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [days, setDays] = useState(30)
  const [link, setLink] = useState<string | null>(null)
  const params = { id: board.dashboard_id }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(listShares, params),
    queryFn: ({ signal }) => api.call(listShares, { params, ignoreCache: true, signal }),
  })

  async function make(): Promise<void> {
    try {
      const { secret } = await api.call(shareDashboard, { params, body: { days } })
      setLink(`${location.origin}/dashboard/shared/${board.dashboard_id}?secret=${secret}`)
      await refetch()
    } catch (failure) {
      showError(failure)
    }
  }

  async function revoke(share_id: number): Promise<void> {
    try {
      await api.call(revokeShare, { params: { ...params, share_id } })
      notify.success(t('dashboard.share.revoked'))
      setLink(null)
      await refetch()
    } catch (failure) {
      showError(failure)
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title={t('dashboard.share.title', { name: board.name })}>
      <Stack>
        <Text size="sm">{t('dashboard.share.text')}</Text>
        <Group align="flex-end">
          <NativeSelect
            label={t('dashboard.share.life')}
            value={days}
            data={lives.map(count => ({ value: String(count), label: t('dashboard.days', { count }) }))}
            onChange={event => setDays(Number(event.currentTarget.value))}
          />
          <Button onClick={() => void make()}>{t('dashboard.share.make')}</Button>
        </Group>
        {link && (
          <TextInput
            label={t('dashboard.share.link')}
            description={t('dashboard.share.once')}
            value={link}
            readOnly
            rightSection={<CopyButton value={link} />}
            onFocus={event => event.currentTarget.select()}
          />
        )}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !data && <TextSkeleton lines={2} />}
        {data?.data.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('dashboard.share.none')}
          </Text>
        )}
        {data?.data.map(share => (
          <Group key={share.share_id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              {t('dashboard.share.until', {
                made: format.date(share.created_at),
                until: format.date(share.expires_at),
                seen: share.seen_at ? format.dateTime(share.seen_at) : t('dashboard.share.never'),
              })}
            </Text>
            <Button
              variant="default"
              size="compact-sm"
              flex="none"
              onClick={() => void revoke(share.share_id)}
            >
              {t('dashboard.share.revoke')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}
