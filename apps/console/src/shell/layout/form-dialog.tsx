import { Dialog, type DialogProps } from '@emma/ui/feedback/dialog.tsx'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { errorText } from '../i18n/error-text.ts'

interface FormDialogProps extends Pick<DialogProps, 'title' | 'size' | 'isStatic' | 'onClose'> {
  /** "Save" by default. */
  submitLabel?: string
  canSubmit?: boolean
  /** The dialog closes when this is done; a rejection keeps it open with what was typed. */
  submit: () => Promise<unknown>
  /** Fields, with the text of the last rejection. */
  children: (error: string | null, clearError: () => void) => ReactNode
}

/** Dialog with a form. Its submit does not reach a form around it: React's events pass through portals. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { submitLabel, canSubmit = true, submit, children, onClose, ...dialog } = props
  const kitText = useTranslate()
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(): Promise<void> {
    setBusy(true)
    try {
      await submit()
      onClose()
    } catch (cause) {
      setError(errorText(cause))
      setBusy(false)
    }
  }
  return (
    <Dialog {...dialog} isOpen onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          event.stopPropagation()
          if (canSubmit && !isBusy) void run()
        }}
      >
        <Stack>
          {children(error, () => setError(null))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {kitText('action.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!canSubmit}>
              {submitLabel ?? kitText('action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
