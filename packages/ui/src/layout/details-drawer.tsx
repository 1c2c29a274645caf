import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'

export interface DetailsDrawerProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
}

/** Something in detail at the right, the list it belongs to still in view. */
export function DetailsDrawer({
  title,
  isOpen,
  onClose,
  children,
  size = 'lg',
}: DetailsDrawerProps): ReactNode {
  const t = useTranslate()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {children}
    </Drawer>
  )
}
