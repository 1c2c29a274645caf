import { espSendfromid } from '@emma/contract/resources/esp-sendfromid.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ServiceList } from '../service-list.tsx'

/** List of the sender addresses registered at one service. */
export default function SenderList(): ReactNode {
  const { t } = useTranslation()
  return (
    <ServiceList
      kind="senders"
      resource={espSendfromid}
      columns={() => [
        'from_email',
        { id: 'from_name', width: 220 },
        { id: 'external_id', width: 160 },
        {
          id: 'verified',
          width: 150,
          cell: row => (
            <StatusBadge tone={row.verified ? 'positive' : 'caution'}>
              {t(`esps.esp_sendfromid.${row.verified ? 'is_verified' : 'not_verified'}`)}
            </StatusBadge>
          ),
        },
      ]}
    />
  )
}
