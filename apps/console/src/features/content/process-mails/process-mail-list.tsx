import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { languages } from '@emma/contract/resources/client.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { ProcessOverview } from './process-overview.tsx'

/** The texts in use by process and language, and the client's own process mails. */
export default function ProcessMailList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const formsOf = useForms()
  return (
    <ResourceList
      resource={pmt}
      subtitle={t('content.pmt.list_text')}
      above={<ProcessOverview />}
      columns={[
        'name',
        { id: 'process', width: 220 },
        { id: 'lang', width: 120 },
        {
          id: 'is_default',
          width: 130,
          cell: row =>
            row.is_default && <StatusBadge tone="positive">{t('content.pmt.is_default_yes')}</StatusBadge>,
        },
        {
          id: 'forms',
          header: t('content.pmt.forms'),
          width: 200,
          wideOnly: true,
          cell: row => format.list(formsOf(row)) || '–',
          text: row => format.list(formsOf(row)),
        },
        'active',
        'updated_at',
      ]}
      filters={['process', 'lang', 'onlyactive']}
      sort={{ field: 'process', descending: false }}
      fill={false}
      actions={useCopyToLanguage()}
    />
  )
}

/** Returns the names of the web forms that use a text, whether it is the default or not. */
function useForms(): (row: RecordOf<typeof pmt>) => string[] {
  const mayRead = usePermission({ all: [`${webform.entity}:get`] })
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.lists(webform), 'all'],
    queryFn: ({ signal }) => api.listAll(webform, {}, { signal }),
    enabled: mayRead,
  })
  return ({ pmt_id }) => data.filter(form => form.pmt_ids.includes(pmt_id)).map(({ name }) => name)
}

/** Row actions that open a new process mail with the content of the row, in another language. */
function useCopyToLanguage(): (row: RecordOf<typeof pmt>) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayCreate } = useRights(pmt)
  if (!mayCreate) return () => []
  return row =>
    languages
      .filter(lang => lang !== row.lang)
      .map(lang => ({
        id: `copy-${lang}`,
        label: t('content.pmt.copy_to', { language: t(`content.languages.${lang}`) }),
        icon: <IconCopy size={16} />,
        run: () =>
          void navigate({
            to: '/settings/pmtemplates/edit/$id',
            params: { id: 'new' },
            search: { process: row.process, lang, from: row.pmt_id },
          }),
      }))
}
