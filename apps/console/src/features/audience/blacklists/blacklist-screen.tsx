import { queryKeys } from '@emma/client/query-keys.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconHistory, IconPencil, IconPlus } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import { useUpdatedColumn } from '../../../shell/resource/use-updated-column.ts'
import { BlacklistEntries } from './blacklist-entries.tsx'
import { type Blacklist, type BlacklistKind, kinds } from './blacklist-kinds.ts'
import { BlacklistModal } from './blacklist-modal.tsx'

/** The blacklists of one type, or with `?list=3` the entries of one. */
export function BlacklistScreen({ kind }: { kind: BlacklistKind }): ReactNode {
  const { list }: { list?: unknown } = useSearch({ strict: false })
  const id = Number(list)
  if (Number.isSafeInteger(id) && id > 0) return <BlacklistEntries key={id} id={id} kind={kind} />
  return <Lists kind={kind} />
}

const defaults = { sort: { field: 'name', descending: false } }

function Lists({ kind }: { kind: BlacklistKind }): ReactNode {
  const { t } = useTranslation()
  const { mayCreate, mayChange } = useRights(blacklist)
  const [state, setState] = useListState({ defaults })
  const [edited, setEdited] = useState<Blacklist | 'new' | null>(null)
  const removal = useRemoveActions(blacklist, row => row.name)
  const { path, title, text } = kinds[kind]
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} stroke={2} />} onClick={() => setEdited('new')}>
      {t('audience.blacklist.new')}
    </Button>
  )
  return (
    <Page
      title={t(title)}
      subtitle={t(text)}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            renderRoot={props => <Link to={`${path}/imports`} {...props} />}
          >
            {t('audience.blacklist.imports')}
          </Button>
          {create}
        </>
      }
    >
      <ListScreen
        name={`blacklist.${kind}`}
        label={t(title)}
        columns={useColumns()}
        rowKey={row => row.blacklist_id}
        rowLabel={row => row.name}
        queryKey={[...queryKeys.lists(blacklist), kind]}
        load={(query, options) =>
          api.list(blacklist, { ...query, filters: { ...query.filters, type: kind } }, options)
        }
        state={state}
        onStateChange={setState}
        href={row => `${path}?list=${row.blacklist_id}`}
        rowActions={row => [
          ...(mayChange
            ? [
                {
                  id: 'edit',
                  label: t('audience.blacklist.edit'),
                  icon: <IconPencil size={16} />,
                  run: () => setEdited(row),
                },
              ]
            : []),
          ...removal.forRow(row),
        ]}
        bulkActions={removal.forMany}
        empty={{
          title: t('audience.blacklist.empty_title'),
          text: t(text),
          action: create,
        }}
      />
      {edited !== null && (
        <BlacklistModal
          kind={kind}
          record={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  )
}

function useColumns(): Column<Blacklist>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`audience.blacklist.fields.${field}`)
  const updated = useUpdatedColumn()
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    {
      id: 'match',
      header: label('match'),
      width: 200,
      cell: row => t(`audience.blacklist.matches.${row.match}`),
    },
    {
      id: 'count',
      header: label('count'),
      sort: 'count',
      width: 130,
      align: 'end',
      cell: row => format.number(row.count),
    },
    updated,
  ]
}
