import { queryKeys } from '@emma/client/query-keys.ts'
import { findIpciResult } from '@emma/contract/actions/placement.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'

/** Drawer with a mail of a placement check as its mailbox received it. */
export function ReceivedMail({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`campaigns.placement.${key}`)
  const found = useQuery({
    queryKey: queryKeys.action(findIpciResult, { id }),
    queryFn: ({ signal }) => api.call(findIpciResult, { params: { id }, signal }),
  })
  const mail = found.data
  return (
    <DetailsDrawer title={mail?.email ?? text('received')} isOpen onClose={onClose} size="xl">
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <BlockSkeleton height={300} />}
      {mail && (
        <Stack gap="md">
          <KeyValue
            columns={2}
            entries={[
              { label: text('folder'), value: mail.folder },
              { label: text('arrived'), value: mail.arrived_at && format.dateTime(mail.arrived_at) },
              { label: text('received_ip'), value: mail.received_ip },
              { label: text('reply'), value: mail.reply },
              { label: 'SPF', value: mail.spf },
              { label: 'DKIM', value: mail.dkim },
              { label: 'DMARC', value: mail.dmarc },
            ]}
          />
          {mail.received ? (
            <MailPreview
              html={mail.received.html || null}
              text={mail.received.text || null}
              subject={mail.received.subject}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {text('not_stored')}
            </Text>
          )}
          {mail.headers && (
            <div>
              <Text size="sm" fw={600} mb={4}>
                {text('headers')}
              </Text>
              <Code block tabIndex={0} style={{ maxHeight: 320, overflow: 'auto' }}>
                {mail.headers}
              </Code>
            </div>
          )}
        </Stack>
      )}
    </DetailsDrawer>
  )
}
