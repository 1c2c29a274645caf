import { ModalsProvider } from '@mantine/modals'
import type { ReactNode } from 'react'
import { layers } from '../theme/timings.ts'
import { useTranslate } from '../i18n.tsx'

/**
 * Container of modals and confirmations. Mounted once, inside the router and the query client, so that modals can use
 * both.
 */
export function ModalArea(): ReactNode {
  const t = useTranslate()
  return (
    <ModalsProvider
      // The provider's default would override the theme's.
      modalProps={{ zIndex: layers.modal, closeButtonProps: { 'aria-label': t('action.close') } }}
      labels={{ confirm: t('action.ok'), cancel: t('action.cancel') }}
    >
      {null}
    </ModalsProvider>
  )
}
