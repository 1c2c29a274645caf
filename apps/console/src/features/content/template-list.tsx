import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { message } from '@emma/contract/resources/message.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/words.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { NewButton } from '../../shell/new-button.tsx'
import { Page } from '../../shell/page.tsx'
import { useRemoveActions } from '../../shell/use-remove-actions.tsx'

type Message = RecordOf<typeof message>

const path = '/templates/archive'
const defaults = { sort: { field: 'updated_at', descending: true } }

/** The templates: what campaigns send. */
export default function TemplateList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: [], defaults })
  const removal = useRemoveActions(message, row => row.name)
  const create = <NewButton resource={message} href="/templates/edit/new" label={t('content.message.new')} />
  return (
    <Page title={t('screens.templates')} actions={create}>
      <ListScreen
        name="message"
        label={t('screens.templates')}
        columns={useColumns()}
        rowKey={row => row.message_id}
        rowLabel={row => row.name}
        queryKey={[...queryKeys.lists(message), path]}
        load={(query, options) => api.list(message, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `/templates/edit/${row.message_id}`}
        rowActions={row => removal.forRow(row)}
        bulkActions={removal.forMany}
        empty={{
          title: t('content.message.empty_title'),
          text: t('content.message.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

function useColumns(): Column<Message>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`content.message.fields.${field}`)
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    { id: 'subject', header: label('subject'), sort: 'subject', cell: row => row.subject },
    {
      id: 'source',
      header: label('source'),
      width: 110,
      cell: row => t(`content.message.sources.${sourceOf(row)}`),
    },
    {
      id: 'lang',
      header: label('lang'),
      width: 110,
      cell: row => t(`content.languages.${row.lang}`),
      wideOnly: true,
    },
    {
      id: 'updated_at',
      header: t('field.updated_at'),
      sort: 'updated_at',
      width: 180,
      cell: row => format.dateTime(row.updated_at),
    },
  ]
}

function sourceOf(row: Message): 'mjml' | 'html' | 'text' {
  if (row.body_mjml) return 'mjml'
  return row.body_long ? 'html' : 'text'
}
