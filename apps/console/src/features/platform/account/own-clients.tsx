import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { switchClient } from '../../../shell/session/change-session.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { useSession } from '../../../shell/session/use-session.ts'
import { type Client, ClientRows } from '../clients/client-rows.tsx'

/** List of the user's clients, to switch to another one. */
export default function OwnClients(): ReactNode {
  const { t } = useTranslation()
  const { client: active } = useSession()
  return (
    <Page title={t('screens.own_clients')} subtitle={t('platform.client.own_text')}>
      <ClientRows
        name="own_clients"
        isRemovable={() => false}
        actions={row =>
          row.client_id === active?.client_id || !row.is_active
            ? []
            : [
                {
                  id: 'switch',
                  label: t('platform.client.switch'),
                  icon: <IconArrowsExchange size={16} />,
                  run: () => switchClient(row.client_id),
                },
              ]
        }
        extraColumn={{
          id: 'switch',
          header: t('platform.client.at_work'),
          width: 160,
          cell: row => <AtWork client={row} isActive={row.client_id === active?.client_id} />,
        }}
      />
    </Page>
  )
}

function AtWork({ client, isActive }: { client: Client; isActive: boolean }): ReactNode {
  const { t } = useTranslation()
  if (isActive) return t('platform.client.is_at_work')
  if (!client.is_active) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${t('platform.client.switch_short')}: ${client.name}`}
      onClick={event => {
        event.stopPropagation()
        void switchClient(client.client_id).catch(showError)
      }}
    >
      {t('platform.client.switch_short')}
    </Button>
  )
}
