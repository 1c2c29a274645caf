import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'

/** List of mail classes with transport, rate limit and tracking. */
export default function MailclassList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`deliverability.mailclass.${key}`)
  return (
    <ResourceList
      resource={mailclass}
      columns={[
        'name',
        { id: 'type', width: 150 },
        { id: 'transport', width: 220, cell: row => row.smtp_host ?? text(`transports.${row.transport}`) },
        {
          id: 'throttle',
          width: 150,
          cell: row =>
            row.throttle === 0
              ? text('unlimited')
              : `${format.number(row.throttle)} / ${text(`units.${row.throttle_unit}`)}`,
        },
        'active',
        { id: 'description', hidden: true },
        'updated_at',
      ]}
      filters={['type', 'onlyactive']}
    />
  )
}
