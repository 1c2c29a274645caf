import { rotateWebhookSecret } from '@emma/contract/actions/webhooks.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Text } from '@mantine/core'
import { IconRotate } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { showError } from '../../shell/i18n/error-text.ts'
import { refresh } from '../../shell/resource/record-calls.ts'
import { useRights } from '../../shell/session/use-rights.ts'
import { SecretDialog } from '../../shell/layout/secret-dialog.tsx'
import type { Webhook } from './webhook-state.tsx'

/** Explains how receivers verify calls, and rotates the signing secret. */
export function WebhookSecret({ record }: { record: Webhook }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { mayChange } = useRights(webhook)
  const [secret, setSecret] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  async function rotate(): Promise<void> {
    const isWanted = await confirm({
      title: t('webhooks.secret.rotate_title'),
      text: t('webhooks.secret.rotate_text'),
      confirmLabel: t('webhooks.secret.rotate'),
    })
    if (!isWanted) return
    setIsBusy(true)
    try {
      const rotated = await api.call(rotateWebhookSecret, { params: { id: record.webhook_id } })
      setSecret(rotated.secret)
    } catch (error) {
      showError(error)
    }
    setIsBusy(false)
  }

  function close(): void {
    setSecret(null)
    void refresh(webhook)
  }

  return (
    <>
      <SecretDialog
        secret={secret}
        title={t('webhooks.secret.title')}
        text={t('webhooks.secret.rotated')}
        copyLabel={t('webhooks.secret.copy')}
        onClose={close}
      />
      <Card
        title={t('webhooks.secret.card')}
        actions={
          mayChange && (
            <Button
              variant="default"
              size="xs"
              loading={isBusy}
              leftSection={<IconRotate size={14} aria-hidden />}
              onClick={() => void rotate()}
            >
              {t('webhooks.secret.rotate')}
            </Button>
          )
        }
      >
        <Text size="sm">{t('webhooks.secret.text')}</Text>
        {record.previous_until !== null && (
          <Text size="sm" mt="xs" fw={500}>
            {t('webhooks.secret.overlap', { time: format.dateTime(record.previous_until) })}
          </Text>
        )}
      </Card>
    </>
  )
}
