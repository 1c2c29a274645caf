import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { ClientForm } from './client-form.tsx'

/** Form of a new client. */
export default function ClientAdd(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page back="/system/clients" title={t('screens.client_add')}>
      <ClientForm record={null} />
    </Page>
  )
}
