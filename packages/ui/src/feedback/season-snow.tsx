import { Portal } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import { isSnowSeason } from './snow-season.ts'

const Snow = lazy(() => import('./snow.tsx'))

/** Where the snow falls: before the modals in the page, so that they lie above it. */
export const snowId = 'emma-snow'

/** Snow around an open modal, in its season, for people who like things to move (R014). Fetched only then. */
export function SeasonSnow(): ReactNode {
  const isCalm = useReducedMotion(undefined, { getInitialValueInEffect: false })
  const [isWinter] = useState(() => isSnowSeason(new Date()))
  if (isCalm || !isWinter) return null
  return (
    <Suspense>
      <Portal target={`#${snowId}`}>
        <Snow />
      </Portal>
    </Suspense>
  )
}
