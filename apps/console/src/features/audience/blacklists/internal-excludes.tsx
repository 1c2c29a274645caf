import {
  addInternalExcludes,
  type internalExclude,
  listInternalExcludes,
  removeInternalExclude,
} from '@emma/contract/actions/internal-blacklist.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Switch } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { EntriesForm } from './entries-form.tsx'
import { useInternalRemoval } from './use-internal-removal.tsx'

type Exclude = z.infer<typeof internalExclude>

const queryKey = ['action', listInternalExcludes.name]
const reload = () => queryClient.invalidateQueries({ queryKey })

/** Exceptions to the internal blacklist, for one client or for all (R106). */
export default function InternalExcludes(): ReactNode {
  const { t } = useTranslation()
  const title = useScreenTitle()
  const format = useFormat()
  const clientId = useClientId()
  const [state, setState] = useListState()
  const [isAdding, setAdding] = useState(false)
  const [onlyClient, setOnlyClient] = useState(false)
  const label = (field: string) => t(`audience.blacklist.entry.${field}`)
  const columns: Column<Exclude>[] = [
    { id: 'value', header: label('value'), cell: row => row.value },
    {
      id: 'client',
      header: t('audience.internal.client'),
      width: 200,
      cell: row => row.client ?? t('audience.internal.all_clients'),
    },
    { id: 'reason', header: label('reason'), cell: row => row.reason },
    { id: 'added_by', header: label('added_by'), width: 150, cell: row => row.added_by ?? 'EMMA' },
    {
      id: 'created_at',
      header: label('created_at'),
      width: 170,
      cell: row => format.dateTime(row.created_at),
    },
  ]
  const removal = useInternalRemoval<Exclude>(queryKey, ({ value, client_id }) =>
    api.call(removeInternalExclude, { query: { value, ...(client_id === null ? {} : { client_id }) } }),
  )
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={2} />} onClick={() => setAdding(true)}>
      {t('audience.internal.add_exceptions')}
    </Button>
  )
  return (
    <Page
      back="/system/blacklistsinternal"
      title={title}
      subtitle={t('audience.internal.exceptions_text')}
      actions={add}
    >
      <ListScreen
        name="internal_excludes"
        label={title}
        columns={columns}
        rowKey={row => `${row.value} ${row.client_id ?? ''}`}
        rowLabel={row => row.value}
        queryKey={queryKey}
        load={({ limit, offset, search }, options) =>
          api.call(listInternalExcludes, {
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
          title: t('audience.internal.no_exceptions'),
          text: t('audience.internal.exceptions_text'),
          action: add,
        }}
      />
      {isAdding && (
        <Dialog
          isOpen
          onClose={() => setAdding(false)}
          title={t('audience.internal.add_exceptions')}
          size="lg"
        >
          <EntriesForm
            label={t('audience.internal.values')}
            description={t('audience.internal.values_text')}
            placeholder={'jane@example.com\nexample.org'}
            hasExpiry={false}
            after={
              clientId !== null && (
                <Switch
                  label={t('audience.internal.only_client')}
                  checked={onlyClient}
                  onChange={event => setOnlyClient(event.currentTarget.checked)}
                />
              )
            }
            add={({ values, reason }) =>
              api.call(addInternalExcludes, {
                body: { values, reason, client_id: onlyClient ? clientId : null },
              })
            }
            onAdded={() => {
              setAdding(false)
              void reload()
            }}
          />
        </Dialog>
      )}
    </Page>
  )
}
