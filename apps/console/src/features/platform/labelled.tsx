import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface LabelledProps {
  label: string
  fault?: string | null
  /** A select, which says its label to screen readers itself. */
  children: ReactNode
}

/** A select outside a record form, with its name above and what is wrong below. */
export function Labelled({ label, fault, children }: LabelledProps): ReactNode {
  return (
    <div>
      <Text size="sm" fw={600} aria-hidden>
        {label}
      </Text>
      {children}
      {fault && (
        <Text size="xs" c="red" role="alert">
          {fault}
        </Text>
      )}
    </div>
  )
}
