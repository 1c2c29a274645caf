import { Alert, PasswordInput, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault, otherFault } from '../field-fault.ts'

interface AccountFormProps {
  /** Of the last attempt; what belongs to a field is said there. */
  error: unknown
  onSubmit: () => void
  /** The server checks, and says what is wrong beside the fields. */
  noValidate?: boolean
  children: ReactNode
}

/** A small form of an account or the installation, with what went wrong above it. */
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

/** What went wrong besides faulty fields. */
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

/** Proves that it is really the person. */
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
