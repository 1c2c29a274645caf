import { Alert, PasswordInput, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault, otherFault } from '../field-fault.ts'

interface AccountFormProps {
  /** Error of the last attempt; field errors are shown at their fields. */
  error: unknown
  onSubmit: () => void
  /** Turns off browser validation: the server's errors are shown at the fields. */
  noValidate?: boolean
  children: ReactNode
}

/** Form of an account's or the installation's settings, with the error above the fields. */
export function AccountForm({ error, onSubmit, noValidate = false, children }: AccountFormProps): ReactNode {
  return (
    <form
      noValidate={noValidate}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack>
        <Problem error={error} />
        {children}
      </Stack>
    </form>
  )
}

/** Errors that belong to no field. */
function Problem({ error }: { error: unknown }): ReactNode {
  const text = otherFault(error)
  return (
    text && (
      <Alert role="alert" color="red" variant="light" py="xs">
        {text}
      </Alert>
    )
  )
}

interface PresentPasswordProps {
  value: string
  onChange: (value: string) => void
  error: unknown
  description?: string
  isFirst?: boolean
}

/** Field for the current password, to confirm the user's identity. */
export function PresentPassword({
  value,
  onChange,
  error,
  description,
  isFirst = false,
}: PresentPasswordProps): ReactNode {
  const { t } = useTranslation()
  return (
    <PasswordInput
      label={t('platform.own.old_password')}
      description={description}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      error={fieldFault(error, 'old_password')}
      autoComplete="current-password"
      required
      withAsterisk={false}
      autoFocus={isFirst}
    />
  )
}
