import type { RecordOf } from '@emma/client/emma-client.ts'
import { languages } from '@emma/contract/resources/client.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { IconCopy } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import { ProcessOverview } from './process-overview.tsx'

/** The texts in use by process and language, and the client's own process mails. */
export default function ProcessMailList(): ReactNode {
  const { t } = useTranslation()
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
