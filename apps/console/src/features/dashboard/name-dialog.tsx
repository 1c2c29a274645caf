import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface NameDialogProps {
  title: string
  name: string
  onName: (name: string) => void
  onClose: () => void
}

/** Dialog that asks for a name. */
export function NameDialog({ title, name, onName, onClose }: NameDialogProps): ReactNode {
  const { t } = useTranslation()
  const tKit = useTranslate()
  const [typed, setTyped] = useState(name)
  return (
    <Dialog isOpen onClose={onClose} title={title} size="sm">
      <form
        onSubmit={event => {
          event.preventDefault()
          if (typed.trim() !== '') onName(typed.trim())
        }}
      >
        <Stack>
          <TextInput
            label={t('dashboard.name')}
            value={typed}
            maxLength={255}
            required
            data-autofocus
            onChange={event => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tKit('action.cancel')}
            </Button>
            <Button type="submit" disabled={typed.trim() === ''}>
              {tKit('action.ok')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
