import type { ReactNode } from 'react'
import Snowfall from 'react-snowfall'
import { layers, snowflakes } from '../theme/timings.ts'

/** Snowflakes over the whole window. */
export function Snow(): ReactNode {
  return (
    <div aria-hidden data-snowflakes={snowflakes}>
      <Snowfall
        snowflakeCount={snowflakes}
        color="#fff"
        style={{ position: 'fixed', inset: 0, zIndex: layers.modal, width: '100vw', height: '100vh' }}
      />
    </div>
  )
}
