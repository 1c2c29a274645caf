import type { RecordOf } from '@emma/client/emma-client.ts'
import { message } from '@emma/contract/resources/message.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceRows } from '../../../shell/resource/resource-rows.tsx'
import { LastResult } from './last-result.tsx'
import { useTemplateUsage } from './template-usage.tsx'
import { useCopyTemplate } from './use-copy-template.tsx'
import { useTemplateGroups } from './use-template-groups.ts'

type Message = RecordOf<typeof message>

/** Templates as a table. */
export function TemplateTable({ create }: { create: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const groups = useTemplateGroups()
  const copyAction = useCopyTemplate()
  const usage = useTemplateUsage()
  return (
    <>
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
          {
            id: 'last_result',
            width: 220,
            cell: row => <LastResult templateId={row.message_id} />,
            text: () => null,
          },
          { id: 'updated_at', width: 180, wideOnly: false },
        ]}
        filters={groups.map(group => ({ ...group, pinned: false }))}
        sort={{ field: 'updated_at', descending: true }}
        actions={row => [...usage.forRow(row), ...copyAction(row)]}
        empty={{ action: create }}
      />
      {usage.dialog}
    </>
  )
}

/** Source format of a template. */
export function sourceOf(row: Pick<Message, 'body_mjml' | 'body_long'>): 'mjml' | 'html' | 'text' {
  if (row.body_mjml) return 'mjml'
  return row.body_long ? 'html' : 'text'
}
