import { Portal } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import { isSnowSeason } from './snow-season.ts'

const Snow = lazyComponent(async () => (await import('./snow.tsx')).Snow)

/** Id of the container of the snow; before the modals in the document, so that they are above it. */
export const snowId = 'emma-snow'

/** Snow around an open modal in winter, unless reduced motion is preferred (R014). Loaded only then. */
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
