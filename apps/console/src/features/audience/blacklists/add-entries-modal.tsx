import { ApiError } from '@emma/client/api-error.ts'
import { addBlacklistEntries } from '@emma/contract/actions/audience.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, Stack, TextInput, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import type { Blacklist } from './blacklist-kinds.ts'

interface AddEntriesModalProps {
  list: Blacklist
  onClose: () => void
}

/** Dialog that adds pasted addresses, domains or hashes to a blacklist. */
export function AddEntriesModal({ list, onClose }: AddEntriesModalProps): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const values = entriesOf(text)
  const add = useMutation({
    mutationFn: async () => {
      const body = {
        values,
        reason: reason.trim() === '' ? null : reason.trim(),
        expires_at: until === '' ? null : new Date(`${until}T23:59:59`).toISOString(),
      }
      const answer = await api.call(addBlacklistEntries, { params: { id: list.blacklist_id }, body })
      await refresh(blacklist)
      return answer
    },
    onSuccess: ({ added, existing }) => {
      notify.success(t('audience.blacklist.added', { added, existing }))
      onClose()
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title={t('audience.blacklist.add_title', { name: list.name })} size="lg">
      <form
        onSubmit={event => {
          event.preventDefault()
          if (values.length > 0) add.mutate()
        }}
      >
        <Stack>
          <Textarea
            data-autofocus
            label={t('audience.blacklist.entry.value')}
            description={t(`audience.blacklist.match_texts.${list.match}`)}
            placeholder={t(`audience.blacklist.examples.${list.match}`)}
            autosize
            minRows={5}
            maxRows={14}
            value={text}
            error={add.error && faultsOf(add.error)}
            onChange={event => setText(event.currentTarget.value)}
          />
          <Group grow align="flex-start">
            <TextInput
              label={t('audience.blacklist.entry.reason')}
              value={reason}
              maxLength={500}
              onChange={event => setReason(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label={t('audience.blacklist.entry.expires_at')}
              description={t('audience.blacklist.expires_hint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={until}
              onChange={event => setUntil(event.currentTarget.value)}
            />
          </Group>
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending} disabled={values.length === 0}>
              {t('audience.blacklist.add_count', { count: values.length })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
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
