import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../words.tsx'

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
  const say = useTranslate()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': say('action.close') }}
    >
      {children}
    </Drawer>
  )
}
