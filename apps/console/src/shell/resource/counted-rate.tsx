import { type Counted, scoreInterval } from '@emma/contract/statistics/compare-rates.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A rate, and below it the limits between which it is with the confidence of the test. */
export function CountedRate({ counted, level }: { counted: Counted; level: number }): ReactNode {
  const format = useFormat()
  if (counted.n === 0) return '–'
  const { low, high } = scoreInterval(counted, level)
  return (
    <>
      {format.percent(counted.x / counted.n)}
      <Text component="div" size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {format.percent(low)} – {format.percent(high)}
      </Text>
    </>
  )
}
