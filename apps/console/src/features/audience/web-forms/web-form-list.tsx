import type { RecordOf } from '@emma/client/emma-client.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { scriptTag } from './embed-codes.ts'

type Webform = RecordOf<typeof webform>

/** Web forms with their figures of the last 30 days (R087). */
export default function WebFormList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: datasources = [] } = useDatasources()
  const nameOf = (row: Webform) => datasources.find(one => one.member_table_id === row.member_table_id)?.name
  return (
    <ResourceList
      resource={webform}
      subtitle={t('audience.webform.list_text')}
      columns={[
        'name',
        {
          id: 'member_table_id',
          width: 160,
          align: 'start',
          cell: row => nameOf(row),
          text: row => nameOf(row),
        },
        { id: 'type', width: 110 },
        { id: 'views', width: 100 },
        { id: 'submissions', width: 110 },
        {
          id: 'confirmed',
          width: 150,
          cell: ({ confirmed, views }) =>
            views === 0 ? confirmed : `${confirmed} (${format.percent(confirmed / views)})`,
        },
        'active',
        {
          id: 'url',
          width: 120,
          cell: row => (
            <CopyButton
              value={scriptTag(row)}
              label={t('audience.webform.copy_script', { name: row.name })}
            />
          ),
        },
      ]}
      filters={['type', 'onlyactive']}
      sort={{ field: 'name', descending: false }}
    />
  )
}
