import { espFields, espLogin } from '@emma/contract/resources/esp-login.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActiveBadge } from '../../../shell/resource/active-state.tsx'
import { ServiceList } from '../service-list.tsx'

/** List of the logins at one sending service, used by campaigns and mail classes. */
export default function LoginList(): ReactNode {
  const { t } = useTranslation()
  return (
    <ServiceList
      kind="settings"
      resource={espLogin}
      columns={esp => [
        'name',
        ...(espFields[esp].includes('host') ? [{ id: 'host', width: 240 } as const] : []),
        { id: 'username', width: 220 },
        {
          id: 'active',
          header: t('esps.esp_login.fields.state'),
          width: 150,
          cell: row =>
            row.active && row.refused_at !== null ? (
              <StatusBadge tone="negative">{t('esps.esp_login.refused')}</StatusBadge>
            ) : (
              <ActiveBadge isActive={row.active} />
            ),
        },
        'updated_at',
      ]}
    />
  )
}
