import { ApiError } from '@emma/client/api-error.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, FileButton, Group, Stack, TextInput, Textarea } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'

export interface Entries {
  values: string[]
  reason: string | null
  expires_at: string | null
}

interface EntriesFormProps {
  label: string
  description: string
  placeholder: string
  /** Inputs before the entries. */
  children?: ReactNode
  /** Inputs after the entries. */
  after?: ReactNode
  hasExpiry?: boolean
  /** False while other inputs are incomplete. */
  isReady?: boolean
  add: (entries: Entries) => Promise<{ added: number; existing: number }>
  onAdded: () => void
}

/** Characters of a file that is read into the form: 10,000 addresses. */
const MAX_FILE_BYTES = 2_000_000

/** Form that adds pasted entries, or those of a text file, to a suppression list. */
export function EntriesForm(props: EntriesFormProps): ReactNode {
  const { hasExpiry = true, isReady = true } = props
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const values = entriesOf(text)
  const save = useMutation({
    mutationFn: () =>
      props.add({
        values,
        reason: reason.trim() || null,
        expires_at: until === '' ? null : new Date(`${until}T23:59:59`).toISOString(),
      }),
    onSuccess: counts => {
      notify.success(t('audience.blacklist.added', { ...counts }))
      props.onAdded()
    },
  })
  const readFile = async (file: File | null) => {
    if (!file) return
    if (file.size > MAX_FILE_BYTES) return notify.danger(t('audience.blacklist.file_too_large'))
    const content = await file.text()
    setText(current => `${current}\n${content}`.trim())
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (values.length > 0 && isReady) save.mutate()
      }}
    >
      <Stack maw={640}>
        {props.children}
        <Textarea
          data-autofocus
          label={props.label}
          description={props.description}
          placeholder={props.placeholder}
          autosize
          minRows={5}
          maxRows={14}
          value={text}
          error={save.error && faultsOf(save.error)}
          onChange={event => setText(event.currentTarget.value)}
        />
        <FileButton accept=".txt,.csv,text/plain,text/csv" onChange={file => void readFile(file)}>
          {button => (
            <Button {...button} variant="subtle" w="fit-content" leftSection={<IconFileText size={16} />}>
              {t('audience.blacklist.read_file')}
            </Button>
          )}
        </FileButton>
        <Group grow align="flex-start">
          <TextInput
            label={t('audience.blacklist.entry.reason')}
            value={reason}
            maxLength={500}
            onChange={event => setReason(event.currentTarget.value)}
          />
          {hasExpiry && (
            <TextInput
              type="date"
              label={t('audience.blacklist.entry.expires_at')}
              description={t('audience.blacklist.expires_hint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={until}
              onChange={event => setUntil(event.currentTarget.value)}
            />
          )}
        </Group>
        {props.after}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={values.length === 0 || !isReady}>
            {t('audience.blacklist.add_count', { count: values.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Entries of a pasted text, separated by line breaks, commas, semicolons or whitespace. */
function entriesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(part => part !== ''))]
}

/** Messages of the first ten field errors; each names its value. */
function faultsOf(error: unknown): string {
  const faults = error instanceof ApiError ? error.fields.map(({ message }) => message) : []
  if (faults.length === 0) return errorText(error)
  return `${faults.slice(0, 10).join('; ')}${faults.length > 10 ? ' …' : ''}`
}
