import { useFormat } from '@emma/ui/i18n.tsx'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

interface CountButtonProps {
  count: number
  onClick: () => void
}

/** A number that opens the recipients it counts; plain text if 0. */
export function CountButton({ count, onClick }: CountButtonProps): ReactNode {
  const format = useFormat()
  if (count === 0) return format.number(0)
  return (
    <Anchor component="button" type="button" size="sm" fw={500} onClick={onClick}>
      {format.number(count)}
    </Anchor>
  )
}
