import type { RecordOf } from '@emma/client/emma-client.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { MultiSelect } from '@emma/ui/select/select.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Checkbox, Group, Input, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { ResourceRows } from '../../../shell/resource/resource-rows.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'

type TestGroup = RecordOf<typeof testgroup>

const addresses = resourceSource(api, testaddress, {
  toOption: row => ({
    label: row.email,
    description: [row.firstname, row.lastname].filter(Boolean).join(' '),
  }),
  sort: { field: 'email' },
})

/** List of test groups: test subscribers that get a test together. */
export function TestGroups(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { mayCreate, mayChange } = useRights(testgroup)
  const [edited, setEdited] = useState<TestGroup | 'new' | null>(null)
  return (
    <Stack>
      {mayCreate && (
        <Group>
          <NewButton
            variant="default"
            resource={testgroup}
            label={t('audience.testgroup.new')}
            onClick={() => setEdited('new')}
          />
        </Group>
      )}
      <ResourceRows
        resource={testgroup}
        label={t('audience.testaddress.groups')}
        columns={[
          'name',
          {
            id: 'address_ids',
            width: 140,
            align: 'end',
            cell: row => format.number(row.address_ids.length),
            text: row => row.address_ids.length,
          },
          {
            id: 'is_default',
            width: 160,
            cell: row => row.is_default && <StatusBadge tone="info">{t('audience.yes')}</StatusBadge>,
          },
        ]}
        listState={useLocalListState({ sort: { field: 'name', descending: false } })}
        onOpen={mayChange ? setEdited : null}
        fill={false}
      />
      {edited !== null && (
        <GroupModal record={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Stack>
  )
}

function GroupModal({ record, onClose }: { record: TestGroup | null; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const inputId = useId()
  const [name, setName] = useState(record?.name ?? '')
  const [ids, setIds] = useState<readonly number[]>(record?.address_ids ?? [])
  const [isDefault, setDefault] = useState(record?.is_default ?? false)
  const save = useMutation({
    mutationFn: async () => {
      const values = { name, address_ids: [...ids], is_default: isDefault }
      await (record
        ? api.patch(testgroup, record.id, values, { revision: record.revision })
        : api.create(testgroup, values))
      await refresh(testgroup)
    },
    onSuccess: onClose,
  })
  return (
    <Dialog isOpen onClose={onClose} title={record?.name ?? t('audience.testgroup.new')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate()
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t('audience.testgroup.fields.name')}
            value={name}
            maxLength={255}
            error={save.error && errorText(save.error)}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Input.Wrapper label={t('audience.testgroup.fields.address_ids')} labelProps={{ htmlFor: inputId }}>
            <MultiSelect inputId={inputId} source={addresses} value={ids} onChange={setIds} />
          </Input.Wrapper>
          <Checkbox
            size="sm"
            label={t('audience.testgroup.fields.is_default')}
            description={t('audience.testgroup.is_default_hint')}
            checked={isDefault}
            onChange={event => setDefault(event.currentTarget.checked)}
          />
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
