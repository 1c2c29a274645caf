import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { type ReactNode, useState } from 'react'
import { modalOverlay } from '../theme/timings.ts'
import { useTranslate } from '../i18n.tsx'
import { SeasonSnow } from './season-snow.tsx'
import { nudgeStaticModal } from './static-backdrop.ts'

export interface ConfirmOptions {
  title: string
  text?: ReactNode
  /** Label of the confirm button; "OK" by default. Prefer a verb. */
  confirmLabel?: string
  cancelLabel?: string
  danger?: boolean
  /** Text that the user has to type first, for irreversible actions. */
  typed?: string
}

/** Shows a confirmation modal. Resolves with false on cancel, Escape or a click on the backdrop. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  return new Promise(resolve => {
    const modalId = randomId()
    const answer = (confirmed: boolean) => {
      resolve(confirmed)
      modals.close(modalId)
    }
    modals.open({
      modalId,
      title: options.title,
      closeOnClickOutside: options.typed === undefined,
      overlayProps: {
        ...modalOverlay,
        ...(options.typed === undefined ? {} : { onClick: nudgeStaticModal }),
      },
      onClose: () => resolve(false),
      children: <Confirmation {...options} onAnswer={answer} />,
    })
  })
}

function Confirmation(props: ConfirmOptions & { onAnswer: (confirmed: boolean) => void }): ReactNode {
  const { text, confirmLabel, cancelLabel, danger, typed, onAnswer } = props
  const t = useTranslate()
  const [typedText, setTypedText] = useState('')
  const isLocked = typed !== undefined && typedText.trim() !== typed
  const [beforePhrase, afterPhrase] = t('confirm.typed', { phrase: '\u0000' }).split('\u0000')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (!isLocked) onAnswer(true)
      }}
    >
      <SeasonSnow />
      <Stack gap="md">
        {typeof text === 'string' ? <Text>{text}</Text> : text}
        {typed !== undefined && (
          <TextInput
            data-autofocus
            autoComplete="off"
            label={
              <>
                {beforePhrase}
                <Code>{typed}</Code>
                {afterPhrase}
              </>
            }
            value={typedText}
            onChange={event => setTypedText(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {cancelLabel ?? t('action.cancel')}
          </Button>
          <Button
            type="submit"
            disabled={isLocked}
            {...(danger ? { color: 'red' } : {})}
            {...(typed === undefined ? { 'data-autofocus': true } : {})}
          >
            {confirmLabel ?? t('action.ok')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
