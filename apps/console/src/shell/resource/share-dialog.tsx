import type { ShareLink } from '@emma/contract/share-links.ts'
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
import { showError } from '../i18n/error-text.ts'

const lives = [7, 30, 90, 365] as const

interface ShareDialogProps {
  /** Name of the shared record. */
  name: string
  /** What the link shows. */
  about: string
  /** Query key of the links. */
  queryKey: readonly unknown[]
  list: (signal?: AbortSignal) => Promise<{ data: ShareLink[] }>
  /** Returns the secret. */
  make: (days: number) => Promise<{ secret: string }>
  revoke: (shareId: number) => Promise<unknown>
  /** Console path that a secret opens. */
  path: string
  onClose: () => void
  /** Inputs of a new link. */
  children?: ReactNode
}

/** Dialog of a record's share links: create, list, revoke. */
export function ShareDialog(props: ShareDialogProps): ReactNode {
  const { name, about, queryKey, list, path, onClose, children } = props
  const { t } = useTranslation()
  const format = useFormat()
  const [days, setDays] = useState(30)
  const [link, setLink] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => list(signal) })

  async function make(): Promise<void> {
    try {
      const { secret } = await props.make(days)
      setLink(`${location.origin}${path}?secret=${secret}`)
      await refetch()
    } catch (failure) {
      showError(failure)
    }
  }

  async function revoke(shareId: number): Promise<void> {
    try {
      await props.revoke(shareId)
      notify.success(t('share_links.revoked'))
      setLink(null)
      await refetch()
    } catch (failure) {
      showError(failure)
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title={t('share_links.title', { name })}>
      <Stack>
        <Text size="sm">{about}</Text>
        {children}
        <Group align="flex-end">
          <NativeSelect
            label={t('share_links.life')}
            value={days}
            data={lives.map(count => ({ value: String(count), label: t('share_links.days', { count }) }))}
            onChange={event => setDays(Number(event.currentTarget.value))}
          />
          <Button onClick={() => void make()}>{t('share_links.make')}</Button>
        </Group>
        {link && (
          <TextInput
            label={t('share_links.link')}
            description={t('share_links.once')}
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
            {t('share_links.none')}
          </Text>
        )}
        {data?.data.map(share => (
          <Group key={share.share_id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              {t('share_links.until', {
                made: format.date(share.created_at),
                until: format.date(share.expires_at),
                seen: share.seen_at ? format.dateTime(share.seen_at) : t('share_links.never'),
              })}
            </Text>
            <Button
              variant="default"
              size="compact-sm"
              flex="none"
              onClick={() => void revoke(share.share_id)}
            >
              {t('share_links.revoke')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}
