import { listWebhookMessages, replayWebhook } from '@emma/contract/actions/webhooks.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Group, Radio, Stack, Switch, Text } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { showError } from '../../shell/i18n/error-text.ts'
import { queryClient } from '../../shell/resource/query-client.ts'

const hours = { hour: 1, day: 24, week: 168, all: 14 * 24 } as const
const spans = ['hour', 'day', 'week', 'all'] as const

/** Repeats the calls of a period, e.g. after an outage of the receiver. */
export function ReplayButton({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const [span, setSpan] = useState<(typeof spans)[number]>('day')
  const [isEverything, setIsEverything] = useState(false)
  const [isBusy, setIsBusy] = useState(false)

  async function replay(): Promise<void> {
    setIsBusy(true)
    try {
      const to = new Date()
      const { replayed } = await api.call(replayWebhook, {
        params: { id },
        body: {
          from: new Date(to.getTime() - hours[span] * 3_600_000).toISOString(),
          to: to.toISOString(),
          only_failed: !isEverything,
        },
      })
      await queryClient.invalidateQueries({ queryKey: ['action', listWebhookMessages.name] })
      notify.success(t('webhooks.log.replayed', { count: replayed }))
      setIsOpen(false)
    } catch (error) {
      showError(error)
    }
    setIsBusy(false)
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRepeat size={16} stroke={1.8} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('webhooks.replay.open')}
      </Button>
      <Dialog title={t('webhooks.replay.title')} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Stack gap="md">
          <Text size="sm">{t('webhooks.replay.text')}</Text>
          <Radio.Group
            label={t('webhooks.replay.span')}
            value={span}
            onChange={value => setSpan(spans.find(each => each === value) ?? 'day')}
          >
            <Stack gap={8} mt={8}>
              {spans.map(value => (
                <Radio key={value} value={value} label={t(`webhooks.replay.spans.${value}`)} size="sm" />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            size="sm"
            label={t('webhooks.replay.everything')}
            description={t('webhooks.replay.everything_text')}
            checked={isEverything}
            onChange={event => setIsEverything(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button loading={isBusy} onClick={() => void replay()}>
              {t('webhooks.replay.run')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
