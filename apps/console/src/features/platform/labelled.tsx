import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface LabelledProps {
  label: string
  fault?: string | null
  /** A select, which has its own accessible label. */
  children: ReactNode
}

/** Visible label and error of a select outside a record form. */
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
