import { Portal } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import { isSnowSeason } from './snow-season.ts'

const Snow = lazyComponent(async () => (await import('./snow.tsx')).Snow)

/** Where the snow falls: before the modals in the page, so that they lie above it. */
export const snowId = 'emma-snow'

/** Snow around an open modal, in its season, for people who like things to move (R014). Fetched only then. */
export function SeasonSnow(): ReactNode {
  const isCalm = useReducedMotion(undefined, { getInitialValueInEffect: false })
  const [isWinter] = useState(() => isSnowSeason(new Date()))
  if (isCalm || !isWinter) return null
  return (
    <Portal target={`#${snowId}`}>
      <Snow />
    </Portal>
  )
}
