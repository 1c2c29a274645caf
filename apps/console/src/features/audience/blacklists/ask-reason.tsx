import { Button, Group, Stack, Textarea } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Asks for the reason to subscribe unsubscribed members again, which is stored as proof of consent. Resolves with null
 * if cancelled.
 */
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
  /** Label of the button. */
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
