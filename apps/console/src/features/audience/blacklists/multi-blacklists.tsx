import {
  listMultiBlacklists,
  type multiBlacklist,
  removeMultiBlacklist,
} from '@emma/contract/actions/multi-blacklist.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { MultiBlacklistDialog } from './multi-blacklist-dialog.tsx'

type Multi = z.infer<typeof multiBlacklist>

const queryKey = ['action', listMultiBlacklists.name]
const multi = { entity: 'EmmaMultiBlacklist' } as const

/** Entries that were added to several suppression lists at once (R210). */
export default function MultiBlacklists(): ReactNode {
  const { t } = useTranslation()
  const title = useScreenTitle()
  const { mayDelete } = useRights(multi)
  const [state, setState] = useListState()
  const [isAdding, setAdding] = useState(false)
  const columns = useColumns()
  const reload = async () => {
    await refresh(blacklist)
    await queryClient.invalidateQueries({ queryKey })
  }
  const add = (
    <NewButton resource={multi} label={t('audience.multi_blacklist.new')} onClick={() => setAdding(true)} />
  )
  return (
    <Page title={title} subtitle={t('audience.multi_blacklist.intro')} actions={add}>
      <ListScreen<Multi>
        name="multi_blacklist"
        label={title}
        columns={columns}
        rowKey={row => row.multi_id}
        rowLabel={row => namesOf(row)}
        queryKey={queryKey}
        load={({ limit, offset, search }, options) =>
          api.call(listMultiBlacklists, {
            query: { limit, offset, ...(search ? { search } : {}) },
            ...options,
            ignoreCache: true,
          })
        }
        state={state}
        onStateChange={setState}
        rowActions={row =>
          mayDelete && row.status === 'applied'
            ? [
                {
                  id: 'remove',
                  label: t('audience.multi_blacklist.remove'),
                  icon: <IconTrash size={16} />,
                  danger: true,
                  confirm: {
                    title: t('audience.multi_blacklist.remove_title'),
                    text: t('audience.multi_blacklist.remove_text', { names: namesOf(row) }),
                    confirmLabel: t('audience.blacklist.remove'),
                    danger: true,
                  },
                  run: async () => {
                    await api.call(removeMultiBlacklist, { params: { id: row.multi_id } })
                    await reload()
                  },
                  done: { message: t('audience.multi_blacklist.removed') },
                },
              ]
            : []
        }
        exportName={false}
        empty={{
          title: t('audience.multi_blacklist.empty_title'),
          text: t('audience.multi_blacklist.empty_text'),
          action: add,
        }}
      />
      {isAdding && (
        <MultiBlacklistDialog
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false)
            void reload()
          }}
        />
      )}
    </Page>
  )
}

function useColumns(): Column<Multi>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const entry = (field: string) => t(`audience.blacklist.entry.${field}`)
  const label = (field: string) => t(`audience.multi_blacklist.fields.${field}`)
  return [
    { id: 'targets', header: label('targets'), cell: namesOf, text: namesOf },
    {
      id: 'status',
      header: label('status'),
      width: 130,
      cell: row => (
        <StatusBadge tone={row.status === 'applied' ? 'positive' : 'neutral'}>
          {t(`audience.multi_blacklist.states.${row.status}`)}
        </StatusBadge>
      ),
    },
    { id: 'count', header: label('count'), width: 110, align: 'end', cell: row => format.number(row.count) },
    { id: 'reason', header: entry('reason'), cell: row => row.reason },
    { id: 'added_by', header: entry('added_by'), width: 150, cell: row => row.added_by ?? 'EMMA' },
    {
      id: 'created_at',
      header: entry('created_at'),
      width: 170,
      cell: row => format.dateTime(row.created_at),
    },
    {
      id: 'expires_at',
      header: entry('expires_at'),
      width: 150,
      cell: row => (row.expires_at === null ? t('audience.blacklist.for_ever') : format.date(row.expires_at)),
    },
  ]
}

/** Names of the lists, with their client if there are several. */
function namesOf({ targets }: Multi): string {
  const hasClients = new Set(targets.map(({ client_id }) => client_id)).size > 1
  return targets.map(({ client, name }) => (hasClients ? `${name} (${client})` : name)).join(', ')
}
