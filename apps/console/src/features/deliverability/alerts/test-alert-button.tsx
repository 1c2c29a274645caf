import { listAlertMessages, testAlert } from '@emma/contract/actions/alerts.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api } from '../../../shell/session/api.ts'

/** Sends a test message to the recipients of an alert. */
export function TestAlertButton({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)

  async function send(): Promise<void> {
    setIsBusy(true)
    try {
      const { queued } = await api.call(testAlert, { params: { id } })
      notify.success(t('deliverability.alert.test.queued', { count: queued }))
      await queryClient.invalidateQueries({ queryKey: ['action', listAlertMessages.name] })
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
      {t('deliverability.alert.test.send')}
    </Button>
  )
}
