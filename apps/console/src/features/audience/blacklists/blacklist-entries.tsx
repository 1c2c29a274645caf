import { queryKeys } from '@emma/client/query-keys.ts'
import { listBlacklistEntries, removeBlacklistEntries } from '@emma/contract/actions/audience.ts'
import { blacklist, type blacklistEntry } from '@emma/contract/resources/blacklist.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconPlus, IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { AddEntriesModal } from './add-entries-modal.tsx'
import { type BlacklistKind, kinds } from './blacklist-kinds.ts'

type Entry = z.infer<typeof blacklistEntry>

/** List of the entries of one blacklist. */
export function BlacklistEntries({ id, kind }: { id: number; kind: BlacklistKind }): ReactNode {
  const { t } = useTranslation()
  const screenTitle = useScreenTitle()
  const { mayCreate, mayDelete } = useRights(blacklist)
  const [state, setState] = useListState()
  const [isAdding, setAdding] = useState(false)
  const columns = useColumns()
  const {
    data: list,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.record(blacklist, id),
    queryFn: ({ signal }) => api.find(blacklist, id, {}, { signal, ignoreCache: true }),
  })
  const remove = async (row: Entry) => {
    await api.call(removeBlacklistEntries, { params: { id }, query: { value: row.value } })
    await refresh(blacklist)
  }
  const removal = {
    id: 'remove',
    label: t('audience.blacklist.remove'),
    icon: <IconTrash size={16} />,
    danger: true,
  }
  const add = mayCreate && (
    <Button leftSection={<IconPlus size={16} stroke={2} />} onClick={() => setAdding(true)}>
      {t('audience.blacklist.add')}
    </Button>
  )
  return (
    <Page
      back={kinds[kind].path}
      title={list?.name ?? screenTitle}
      subtitle={list && t(`audience.blacklist.matches.${list.match}`)}
      actions={
        mayCreate && (
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={16} />}
              renderRoot={props => (
                <Link
                  to="/subscribers/dataupload/edit/$id"
                  params={{ id: 'new' }}
                  search={{ blacklist: id }}
                  {...props}
                />
              )}
            >
              {t('audience.blacklist.upload')}
            </Button>
            {add}
          </>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ListScreen
          name="blacklist.entries"
          label={list?.name ?? t('screens.blacklists')}
          columns={columns}
          rowKey={row => row.value}
          rowLabel={row => row.value}
          queryKey={[...queryKeys.record(blacklist, id), 'entries']}
          load={({ limit, offset, search }, options) =>
            api.call(listBlacklistEntries, {
              params: { id },
              query: { limit, offset, ...(search ? { search } : {}) },
              ...options,
              ignoreCache: true,
            })
          }
          state={state}
          onStateChange={setState}
          rowActions={row => (mayDelete ? [{ ...removal, run: () => remove(row) }] : [])}
          bulkActions={mayDelete ? [{ ...removal, run: remove }] : []}
          exportName={list?.name ?? 'blacklist'}
          empty={{
            title: t('audience.blacklist.no_entries_title'),
            text: t('audience.blacklist.no_entries_text'),
            action: add,
          }}
        />
      )}
      {list && isAdding && <AddEntriesModal list={list} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function useColumns(): Column<Entry>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`audience.blacklist.entry.${field}`)
  return [
    { id: 'value', header: label('value'), cell: row => row.value },
    { id: 'reason', header: label('reason'), cell: row => row.reason },
    {
      id: 'source',
      header: label('source'),
      width: 150,
      cell: row => row.source && t(`audience.blacklist.sources.${row.source}`, { defaultValue: row.source }),
    },
    { id: 'added_by', header: label('added_by'), width: 150, cell: row => row.added_by ?? 'EMMA' },
    {
      id: 'created_at',
      header: label('created_at'),
      width: 170,
      cell: row => format.dateTime(row.created_at),
    },
    {
      id: 'expires_at',
      header: label('expires_at'),
      width: 150,
      cell: row => (row.expires_at === null ? t('audience.blacklist.for_ever') : format.date(row.expires_at)),
      text: row => row.expires_at,
    },
  ]
}
