import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { modalOverlay } from '../theme/timings.ts'
import { useTranslate } from '../i18n.tsx'
import { SeasonSnow } from './season-snow.tsx'
import { nudgeStaticModal } from './static-backdrop.ts'

export interface DialogProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl' | '90%'
  /** A click on the backdrop does not close the dialog, but nudges it, to protect input. */
  isStatic?: boolean
}

/** Modal with custom content. For questions use `confirm`. */
export function Dialog({ title, isOpen, onClose, children, size = 'md', isStatic }: DialogProps): ReactNode {
  const t = useTranslate()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={isStatic !== true}
      overlayProps={{ ...modalOverlay, ...(isStatic ? { onClick: nudgeStaticModal } : {}) }}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <SeasonSnow />
      {children}
    </Modal>
  )
}
