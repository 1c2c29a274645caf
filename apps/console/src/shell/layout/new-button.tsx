import type { Resource } from '@emma/contract/define-resource.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRights } from '../session/use-rights.ts'

interface NewButtonProps {
  resource: Pick<Resource, 'entity' | 'superadminOnly'>
  /** Address of the empty form. */
  href: string
  label: string
}

/** Leads to the form of a new record; nothing for people who may not create one. */
export function NewButton({ resource, href, label }: NewButtonProps): ReactNode {
  const { mayCreate } = useRights(resource)
  if (!mayCreate) return null
  return (
    <Button component={Link} to={href} leftSection={<IconPlus size={16} stroke={2} />}>
      {label}
    </Button>
  )
}
