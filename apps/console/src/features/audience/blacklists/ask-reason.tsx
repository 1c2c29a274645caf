import { Button, Group, Stack, Textarea } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Asks why unsubscribed people are subscribed again: kept as proof of consent. Null: it is not to be done. */
export function askReason(title: string): Promise<string | null> {
  return new Promise(resolve => {
    const modalId = randomId()
    modals.open({
      modalId,
      title,
      onClose: () => resolve(null),
      children: (
        <ReasonForm
          label={title}
          onSubmit={reason => {
            resolve(reason)
            modals.close(modalId)
          }}
        />
      ),
    })
  })
}

interface ReasonFormProps {
  /** Of the button. */
  label: string
  onSubmit: (reason: string) => void
}

function ReasonForm({ label, onSubmit }: ReasonFormProps): ReactNode {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (reason.trim() !== '') onSubmit(reason.trim())
      }}
    >
      <Stack>
        <Textarea
          data-autofocus
          label={t('audience.member.reason')}
          description={t('audience.member.reason_hint')}
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button type="submit" disabled={reason.trim() === ''}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
