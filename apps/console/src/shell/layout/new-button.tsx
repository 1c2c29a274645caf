import type { Resource } from '@emma/contract/define-resource.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRights } from '../session/use-rights.ts'

interface NewButtonProps {
  resource: Pick<Resource, 'entity' | 'superadminOnly'>
  /** Path of the form; `onClick` is for forms in a dialog. */
  href?: string
  onClick?: () => void
  label: string
  /** For a button beside a primary one. */
  variant?: 'default'
}

/** Link or button to create a record; renders nothing without the permission. */
export function NewButton({ resource, href, onClick, label, variant }: NewButtonProps): ReactNode {
  const { mayCreate } = useRights(resource)
  if (!mayCreate) return null
  const look = { leftSection: <IconPlus size={16} stroke={2} />, ...(variant ? { variant } : {}) }
  if (href === undefined)
    return (
      <Button {...look} onClick={onClick}>
        {label}
      </Button>
    )
  return (
    <Button component={Link} to={href} {...look}>
      {label}
    </Button>
  )
}
