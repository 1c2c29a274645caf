import type { Resource } from '@emma/contract/define-resource.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRights } from '../session/use-rights.ts'

interface NewButtonProps {
  resource: Pick<Resource, 'entity' | 'superadminOnly'>
  /** Address of the empty form, or what opens it. */
  href?: string
  onClick?: () => void
  label: string
}

/** Leads to the form of a new record; nothing for people who may not create one. */
export function NewButton({ resource, href, onClick, label }: NewButtonProps): ReactNode {
  const { mayCreate } = useRights(resource)
  if (!mayCreate) return null
  const icon = <IconPlus size={16} stroke={2} />
  if (href === undefined)
    return (
      <Button leftSection={icon} onClick={onClick}>
        {label}
      </Button>
    )
  return (
    <Button component={Link} to={href} leftSection={icon}>
      {label}
    </Button>
  )
}
