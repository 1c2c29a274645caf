import { queryKeys } from '@emma/client/query-keys.ts'
import { createMultiBlacklist, maxTargets } from '@emma/contract/actions/multi-blacklist.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { client } from '@emma/contract/resources/client.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { EntriesForm } from './entries-form.tsx'

interface MultiBlacklistDialogProps {
  onClose: () => void
  onAdded: () => void
}

/** Dialog that adds entries to several suppression lists, also of other clients. */
export function MultiBlacklistDialog({ onClose, onAdded }: MultiBlacklistDialogProps): ReactNode {
  const { t } = useTranslation()
  const ownClient = useClientId()
  const [clientIds, setClientIds] = useState<string[]>(ownClient === null ? [] : [String(ownClient)])
  const [listIds, setListIds] = useState<string[]>([])
  const byName = { sort: { field: 'name' } }
  const { data: clients = [] } = useQuery({
    queryKey: queryKeys.list(client, byName),
    queryFn: ({ signal }) => api.listAll(client, byName, { signal }),
  })
  const query = { ...byName, filters: { client_id: clientIds.map(Number) } }
  const { data: lists = [] } = useQuery({
    queryKey: queryKeys.list(blacklist, query),
    queryFn: ({ signal }) => api.listAll(blacklist, query, { signal }),
    enabled: clientIds.length > 0,
  })
  const offered = lists.filter(list => clientIds.includes(String(list.client_id)))
  const targets = offered.filter(list => listIds.includes(String(list.blacklist_id)))
  const nameOf = (id: number) => clients.find(({ client_id }) => client_id === id)?.name ?? String(id)
  return (
    <Dialog isOpen onClose={onClose} title={t('audience.multi_blacklist.new')} size="lg">
      <EntriesForm
        label={t('audience.blacklist.entry.value')}
        description={t('audience.multi_blacklist.values_text')}
        placeholder={'jane@example.com\njoe@example.org'}
        isReady={targets.length > 0}
        add={async entries => {
          const body = {
            ...entries,
            targets: targets.map(({ client_id, blacklist_id }) => ({ client_id, blacklist_id })),
          }
          const created = await api.call(createMultiBlacklist, { body })
          const sum = (field: 'added' | 'existing') =>
            created.targets.reduce((total, target) => total + target[field], 0)
          return { added: sum('added'), existing: sum('existing') }
        }}
        onAdded={onAdded}
      >
        {clients.length > 1 && (
          <MultiSelect
            label={t('audience.multi_blacklist.fields.clients')}
            data={clients.map(({ client_id, name }) => ({ value: String(client_id), label: name }))}
            value={clientIds}
            onChange={setClientIds}
            searchable
            limit={50}
          />
        )}
        <MultiSelect
          label={t('audience.multi_blacklist.fields.targets')}
          data={clientIds.map(id => ({
            group: nameOf(Number(id)),
            items: offered
              .filter(({ client_id }) => client_id === Number(id))
              .map(({ blacklist_id, name }) => ({ value: String(blacklist_id), label: name })),
          }))}
          value={targets.map(({ blacklist_id }) => String(blacklist_id))}
          onChange={setListIds}
          maxValues={maxTargets}
          searchable
        />
      </EntriesForm>
    </Dialog>
  )
}
