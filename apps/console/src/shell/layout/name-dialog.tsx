import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormDialog } from './form-dialog.tsx'

interface NameDialogProps {
  title: string
  label: string
  initial?: string
  /** Returns the fault of a name; null if it has none. */
  check?: (name: string) => string | null
  /** Gets the name without spaces around it. Rejections are shown at the field. */
  save: (name: string) => Promise<unknown>
  onClose: () => void
  /** Shown above the name. */
  hint?: ReactNode
  /** Shown below the name. */
  children?: ReactNode
}

/** Asks for a name. */
export function NameDialog(props: NameDialogProps): ReactNode {
  const { title, label, initial = '', check, save, onClose, hint, children } = props
  const [typed, setTyped] = useState(initial)
  const name = typed.trim()
  const fault = name === '' ? null : (check?.(name) ?? null)
  return (
    <FormDialog
      title={title}
      canSubmit={name !== '' && fault === null}
      submit={() => save(name)}
      onClose={onClose}
    >
      {(error, clearError) => (
        <>
          {hint}
          <TextInput
            data-autofocus
            label={label}
            maxLength={255}
            value={typed}
            error={fault ?? error}
            onChange={event => {
              setTyped(event.currentTarget.value)
              clearError()
            }}
          />
          {children}
        </>
      )}
    </FormDialog>
  )
}
