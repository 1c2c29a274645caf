import { ApiError } from '@emma/client/api-error.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Group, Stack, Switch, TextInput, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'

export interface InternalInput {
  values: string[]
  reason: string | null
  onlyClient: boolean
}

interface InternalFormProps {
  /** Offers to restrict the entries to the active client. */
  hasClient: boolean
  add: (input: InternalInput) => Promise<{ added: number; existing: number }>
  onAdded: () => void
}

/** Form that adds pasted addresses and domains to the internal blacklist, or to its exceptions. */
export function InternalForm({ hasClient, add, onAdded }: InternalFormProps): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [onlyClient, setOnlyClient] = useState(false)
  const values = [...new Set(text.split(/[\s,;]+/).filter(part => part !== ''))]
  const save = useMutation({
    mutationFn: () => add({ values, reason: reason.trim() || null, onlyClient }),
    onSuccess: counts => {
      notify.success(t('audience.blacklist.added', { ...counts }))
      onAdded()
    },
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (values.length > 0) save.mutate()
      }}
    >
      <Stack maw={640}>
        <Textarea
          data-autofocus
          label={t('audience.internal.values')}
          description={t('audience.internal.values_text')}
          placeholder={'jane@example.com\nexample.org'}
          autosize
          minRows={5}
          maxRows={14}
          value={text}
          error={save.error && faultsOf(save.error)}
          onChange={event => setText(event.currentTarget.value)}
        />
        <TextInput
          label={t('audience.blacklist.entry.reason')}
          value={reason}
          maxLength={500}
          onChange={event => setReason(event.currentTarget.value)}
        />
        {hasClient && (
          <Switch
            label={t('audience.internal.only_client')}
            checked={onlyClient}
            onChange={event => setOnlyClient(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={values.length === 0}>
            {t('audience.blacklist.add_count', { count: values.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Messages of the first ten field errors; each names its value. */
function faultsOf(error: unknown): string {
  const faults = error instanceof ApiError ? error.fields.map(({ message }) => message) : []
  return faults.length === 0 ? errorText(error) : faults.slice(0, 10).join('; ')
}
