import { ModalsProvider } from '@mantine/modals'
import type { ReactNode } from 'react'
import { layers } from '../theme/timings.ts'
import { useTranslate } from '../i18n.tsx'

/**
 * Where modals and confirmations appear. Mounted once, inside the router and the query client, so that what is
 * shown in a modal can use both.
 */
export function ModalArea(): ReactNode {
  const t = useTranslate()
  return (
    <ModalsProvider
      // Its own default would win over the theme's.
      modalProps={{ zIndex: layers.modal, closeButtonProps: { 'aria-label': t('action.close') } }}
      labels={{ confirm: t('action.ok'), cancel: t('action.cancel') }}
    >
      {null}
    </ModalsProvider>
  )
}
