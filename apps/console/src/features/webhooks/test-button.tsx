import { listWebhookMessages, testWebhook } from '@emma/contract/actions/webhooks.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { showError } from '../../shell/i18n/error-text.ts'
import { queryClient } from '../../shell/resource/query-client.ts'
import { useAttemptText } from './attempt-text.ts'

/** Sends a test call and shows the response. */
export function TestButton({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const attemptText = useAttemptText()
  const [isBusy, setIsBusy] = useState(false)

  async function send(): Promise<void> {
    setIsBusy(true)
    try {
      const result = await api.call(testWebhook, { params: { id } })
      if (result.ok) notify.success(t('webhooks.test.arrived', { time: format.number(result.duration_ms) }))
      else notify.warning(attemptText(result), { title: t('webhooks.test.failed') })
      await queryClient.invalidateQueries({ queryKey: ['action', listWebhookMessages.name] })
    } catch (error) {
      showError(error)
    }
    setIsBusy(false)
  }

  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconSend size={16} stroke={1.8} aria-hidden />}
      onClick={() => void send()}
    >
      {t('webhooks.test.send')}
    </Button>
  )
}
