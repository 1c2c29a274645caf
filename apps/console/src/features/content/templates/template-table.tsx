import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { message } from '@emma/contract/resources/message.ts'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceRows, type ResourceRowsProps } from '../../../shell/resource/resource-rows.tsx'
import { api } from '../../../shell/session/api.ts'
import { useCopyTemplate } from './use-copy-template.tsx'

type Message = RecordOf<typeof message>

/** Fields that templates are filtered by. */
const groups = ['category', 'collection'] as const

/** Templates as a table. */
export function TemplateTable({ create }: { create: ReactNode }): ReactNode {
  const { t } = useTranslation()
  return (
    <ResourceRows
      resource={message}
      columns={[
        'name',
        'subject',
        {
          id: 'source',
          width: 110,
          cell: row => t(`content.message.sources.${sourceOf(row)}`),
          text: sourceOf,
        },
        { id: 'lang', width: 110, wideOnly: true },
        { id: 'category', width: 150, wideOnly: true },
        { id: 'collection', hidden: true },
        { id: 'updated_at', width: 180, wideOnly: false },
      ]}
      filters={useGroupFilters()}
      sort={{ field: 'updated_at', descending: true }}
      actions={useCopyTemplate()}
      empty={{ action: create }}
    />
  )
}

/** Filters with the values in use. */
function useGroupFilters(): NonNullable<ResourceRowsProps<typeof message>['filters']> {
  const lists = useQueries({
    queries: groups.map(group => ({
      queryKey: [...queryKeys.lists(message), 'distinct', group],
      queryFn: () => api.list(message, { filters: { distinct: group }, limit: 100 }),
    })),
  })
  return groups.map((name, index) => {
    const words = (lists[index]?.data?.data ?? []).flatMap(row => row[name] ?? [])
    const options = words.toSorted((a, b) => a.localeCompare(b)).map(word => ({ value: word, label: word }))
    return { name, options, pinned: false }
  })
}

/** Source format of a template. */
export function sourceOf(row: Pick<Message, 'body_mjml' | 'body_long'>): 'mjml' | 'html' | 'text' {
  if (row.body_mjml) return 'mjml'
  return row.body_long ? 'html' : 'text'
}
