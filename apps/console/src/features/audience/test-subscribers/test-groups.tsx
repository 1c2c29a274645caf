import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { MultiSelect } from '@emma/ui/select/select.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Checkbox, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
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
  const { mayCreate, mayChange } = useRights(testgroup)
  const [state, setState] = useLocalListState({ sort: { field: 'name', descending: false } })
  const [edited, setEdited] = useState<TestGroup | 'new' | null>(null)
  const removal = useRemoveActions(testgroup, row => row.name)
  const create = mayCreate && (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} stroke={2} />}
      onClick={() => setEdited('new')}
    >
      {t('audience.testaddress.new_group')}
    </Button>
  )
  return (
    <Stack>
      {create && <Group>{create}</Group>}
      <ListScreen
        name="testgroup"
        label={t('audience.testaddress.groups')}
        columns={useColumns()}
        rowKey={row => row.id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(testgroup)}
        load={(query, options) => api.list(testgroup, query, options)}
        state={state}
        onStateChange={setState}
        {...(mayChange ? { onOpen: setEdited } : {})}
        rowActions={removal.forRow}
        bulkActions={removal.forMany}
        fill={false}
        empty={{
          title: t('audience.testaddress.no_groups_title'),
          text: t('audience.testaddress.no_groups_text'),
        }}
      />
      {edited !== null && (
        <GroupModal record={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Stack>
  )
}

function useColumns(): Column<TestGroup>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { id: 'name', header: t('audience.testaddress.fields.name'), sort: 'name', cell: row => row.name },
    {
      id: 'address_ids',
      header: t('audience.testaddress.addresses'),
      width: 140,
      align: 'end',
      cell: row => format.number(row.address_ids.length),
      text: row => row.address_ids.length,
    },
    {
      id: 'is_default',
      header: t('audience.testaddress.is_default'),
      width: 160,
      cell: row => row.is_default && <StatusBadge tone="info">{t('audience.yes')}</StatusBadge>,
    },
  ]
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
    <Dialog isOpen onClose={onClose} title={record?.name ?? t('audience.testaddress.new_group')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate()
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t('audience.testaddress.fields.name')}
            value={name}
            maxLength={255}
            error={save.error && errorText(save.error)}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Input.Wrapper label={t('audience.testaddress.addresses')} labelProps={{ htmlFor: inputId }}>
            <MultiSelect inputId={inputId} source={addresses} value={ids} onChange={setIds} />
          </Input.Wrapper>
          <Checkbox
            size="sm"
            label={t('audience.testaddress.is_default')}
            description={t('audience.testaddress.is_default_hint')}
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
