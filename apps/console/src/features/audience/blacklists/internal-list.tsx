import {
  type internalEntry,
  listInternalEntries,
  removeInternalEntry,
} from '@emma/contract/actions/internal-blacklist.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { useInternalRemoval } from './use-internal-removal.tsx'

type Entry = z.infer<typeof internalEntry>

const queryKey = ['action', listInternalEntries.name]

/** Addresses and domains that are suppressed for all clients (R104). */
export default function InternalList(): ReactNode {
  const { t } = useTranslation()
  const title = useScreenTitle()
  const format = useFormat()
  const [state, setState] = useListState()
  const label = (field: string) => t(`audience.blacklist.entry.${field}`)
  const columns: Column<Entry>[] = [
    { id: 'value', header: label('value'), cell: row => row.value },
    { id: 'reason', header: label('reason'), cell: row => row.reason },
    {
      id: 'added_by',
      header: label('added_by'),
      width: 150,
      cell: row => row.added_by ?? 'EMMA',
    },
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
  const removal = useInternalRemoval<Entry>(queryKey, ({ value }) =>
    api.call(removeInternalEntry, { query: { value } }),
  )
  const add = (
    <Button
      leftSection={<IconPlus size={16} stroke={2} />}
      renderRoot={props => <Link to="/system/blacklistsinternal/add" {...props} />}
    >
      {t('audience.blacklist.add')}
    </Button>
  )
  return (
    <Page
      title={title}
      subtitle={t('audience.internal.subtitle')}
      actions={
        <>
          <Button
            variant="default"
            renderRoot={props => <Link to="/system/blacklistsinternal/excludes" {...props} />}
          >
            {t('audience.internal.exceptions')}
          </Button>
          {add}
        </>
      }
    >
      <ListScreen
        name="internal_blacklist"
        label={title}
        columns={columns}
        rowKey={row => row.value}
        rowLabel={row => row.value}
        queryKey={queryKey}
        load={({ limit, offset, search }, options) =>
          api.call(listInternalEntries, {
            query: { limit, offset, ...(search ? { search } : {}) },
            ...options,
            ignoreCache: true,
          })
        }
        state={state}
        onStateChange={setState}
        rowActions={removal.forRow}
        bulkActions={removal.forMany}
        empty={{
          title: t('audience.blacklist.no_entries_title'),
          text: t('audience.internal.empty'),
          action: add,
        }}
      />
    </Page>
  )
}
