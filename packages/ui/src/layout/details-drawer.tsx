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

/** Drawer on the right for details; the list beside it stays visible. */
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
