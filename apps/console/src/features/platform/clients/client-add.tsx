import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { ClientForm } from './client-form.tsx'

/** Form of a new client. */
export default function ClientAdd(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page back="/system/clients" title={t('screens.client_add')}>
      <ClientForm record={null} id={null} onSaved={() => void navigate({ to: '/system/clients' })} />
    </Page>
  )
}
