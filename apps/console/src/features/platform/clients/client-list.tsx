import { client } from '@emma/contract/resources/client.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { ClientRows } from './client-rows.tsx'

/** List of all clients of the installation. */
export default function ClientList(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page
      title={t('screens.clients')}
      actions={<NewButton resource={client} href="/system/clients/add" label={t('platform.client.new')} />}
    >
      <ClientRows name="clients" />
    </Page>
  )
}
