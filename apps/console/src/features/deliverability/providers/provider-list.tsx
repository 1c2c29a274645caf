import type { RecordOf } from '@emma/client/emma-client.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import type { LoadRows } from '@emma/ui/list/list-csv.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'

/** List of mailbox providers with their patterns and limits. */
export default function ProviderList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const limit = (value: number) =>
    value === 0 ? t('deliverability.mailclass.unlimited') : format.number(value)
  return (
    <ResourceList
      resource={provider}
      subtitle={t('deliverability.provider.subtitle')}
      columns={[
        'name',
        {
          id: 'domains',
          width: 320,
          cell: row => row.domains.slice(0, 3).join(', ') + (row.domains.length > 3 ? ' …' : ''),
        },
        { id: 'max_per_hour', width: 170, cell: row => limit(row.max_per_hour) },
        { id: 'max_connections', width: 170, cell: row => limit(row.max_connections) },
      ]}
      load={loadNamed}
      hasBulk={false}
    />
  )
}

/** Omits the record 0, which stands for all other providers. */
const loadNamed: LoadRows<RecordOf<typeof provider>> = async (query, options) => {
  const page = await api.list(provider, query, options)
  const data = page.data.filter(row => row.provider_id !== 0)
  const total = page.pagination.total - page.data.length + data.length
  return { data, pagination: { ...page.pagination, total } }
}
