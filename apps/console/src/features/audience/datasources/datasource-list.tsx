import { membertable } from '@emma/contract/resources/membertable.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useRouter } from '@tanstack/react-router'
import { IconUpload, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { ShareBar } from '../segments/share-bar.tsx'

/** List of the datasources with their counters. */
export default function DatasourceList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { history } = useRouter()
  return (
    <ResourceList
      resource={membertable}
      subtitle={t('audience.membertable.list_text')}
      columns={[
        'name',
        { id: 'stats_total', width: 120 },
        {
          id: 'stats_active',
          width: 190,
          cell: row => (
            <ShareBar
              text={format.number(row.stats_active)}
              share={row.stats_total > 0 ? row.stats_active / row.stats_total : null}
            />
          ),
        },
        { id: 'stats_unsubscribed', width: 130 },
        { id: 'stats_hardbounce', width: 130 },
        { id: 'stats_softbounce', width: 130, hidden: true },
        { id: 'stats_complaint', width: 130, hidden: true },
        { id: 'stats_pending', width: 130, hidden: true },
        {
          id: 'stats_at',
          width: 150,
          wideOnly: true,
          cell: row => format.relative(row.stats_at),
          text: row => row.stats_at,
        },
        { id: 'description', hidden: true },
        { id: 'updated_at', hidden: true },
      ]}
      actions={row => [
        {
          id: 'members',
          label: t('audience.membertable.show_members'),
          icon: <IconUsers size={16} />,
          run: () => history.push(`/subscribers/archive?table=${row.member_table_id}`),
        },
        {
          id: 'upload',
          label: t('audience.membertable.upload'),
          icon: <IconUpload size={16} />,
          run: () => history.push(`/subscribers/dataupload/edit/new?table=${row.member_table_id}`),
        },
      ]}
    />
  )
}
