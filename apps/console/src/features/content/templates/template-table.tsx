import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { message } from '@emma/contract/resources/message.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { useTemplateActions } from './use-template-actions.tsx'

type Message = RecordOf<typeof message>

/** Fields that templates are filtered by. */
const groups = ['category', 'collection'] as const

const defaults = { sort: { field: 'updated_at', descending: true } }

/** Templates as a table. */
export function TemplateTable({ create }: { create: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: groups, defaults })
  const actions = useTemplateActions()
  return (
    <ListScreen
      name="message"
      label={t('screens.templates')}
      columns={useColumns()}
      filters={useFilters()}
      rowKey={row => row.message_id}
      rowLabel={row => row.name}
      queryKey={queryKeys.lists(message)}
      load={(query, options) => api.list(message, query, options)}
      state={state}
      onStateChange={setState}
      href={row => `/templates/edit/${row.message_id}`}
      rowActions={actions.forRow}
      bulkActions={actions.forMany}
      empty={{
        title: t('content.message.empty_title'),
        text: t('content.message.empty_text'),
        action: create,
      }}
    />
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
      text: row => sourceOf(row),
    },
    {
      id: 'lang',
      header: label('lang'),
      width: 110,
      cell: row => t(`content.languages.${row.lang}`),
      wideOnly: true,
    },
    {
      id: 'category',
      header: label('category'),
      width: 150,
      cell: row => row.category,
      wideOnly: true,
    },
    { id: 'collection', header: label('collection'), cell: row => row.collection, hidden: true },
    {
      id: 'updated_at',
      header: t('field.updated_at'),
      sort: 'updated_at',
      width: 180,
      cell: row => format.dateTime(row.updated_at),
    },
  ]
}

/** Filters with the values in use. */
function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  const lists = useQueries({
    queries: groups.map(group => ({
      queryKey: [...queryKeys.lists(message), 'distinct', group],
      queryFn: () => api.list(message, { filters: { distinct: group }, limit: 100 }),
    })),
  })
  return groups.flatMap((group, index) => {
    const words = (lists[index]?.data?.data ?? []).flatMap(row => row[group] ?? [])
    if (words.length === 0) return []
    const options = words.toSorted((a, b) => a.localeCompare(b)).map(word => ({ value: word, label: word }))
    return { name: group, label: t(`content.message.fields.${group}`), kind: 'choice', options }
  })
}

/** Source format of a template. */
export function sourceOf(row: Pick<Message, 'body_mjml' | 'body_long'>): 'mjml' | 'html' | 'text' {
  if (row.body_mjml) return 'mjml'
  return row.body_long ? 'html' : 'text'
}
