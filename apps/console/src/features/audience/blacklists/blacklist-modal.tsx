import { blacklist, blacklistMatches } from '@emma/contract/resources/blacklist.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import type { Blacklist, BlacklistKind } from './blacklist-kinds.ts'

interface BlacklistModalProps {
  kind: BlacklistKind
  /** Null for a new blacklist. */
  record: Blacklist | null
  onClose: () => void
}

/** Dialog for the name of a blacklist and the field that its entries match. */
export function BlacklistModal({ kind, record, onClose }: BlacklistModalProps): ReactNode {
  const { t } = useTranslation()
  const [name, setName] = useState(record?.name ?? '')
  const [match, setMatch] = useState<Blacklist['match']>(record?.match ?? 'email')
  const save = useMutation({
    mutationFn: async () => {
      await (record
        ? api.patch(blacklist, record.blacklist_id, { name, match }, { revision: record.revision })
        : api.create(blacklist, { name, match, kind }))
      await refresh(blacklist)
    },
    onSuccess: onClose,
  })
  return (
    <Dialog isOpen onClose={onClose} title={t(record ? 'audience.blacklist.edit' : 'audience.blacklist.new')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate()
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t('audience.blacklist.fields.name')}
            value={name}
            maxLength={255}
            error={save.error && errorText(save.error)}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Radio.Group
            label={t('audience.blacklist.fields.match')}
            description={record && record.count > 0 ? t('audience.blacklist.match_stays') : undefined}
            value={match}
            onChange={value => setMatch(blacklistMatches.find(known => known === value) ?? 'email')}
          >
            <Stack gap="xs" mt={6}>
              {blacklistMatches.map(value => (
                <Radio
                  key={value}
                  size="sm"
                  value={value}
                  disabled={record !== null && record.count > 0}
                  label={t(`audience.blacklist.matches.${value}`)}
                  description={t(`audience.blacklist.match_texts.${value}`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              {t('audience.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
