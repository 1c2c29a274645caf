import { type ReactNode, Suspense, lazy } from 'react'
import { BlockSkeleton } from '../feedback/skeletons.tsx'
import type { EChartProps } from './echart.tsx'

/** ECharts arrives with the first chart of a visit. */
export function LazyEChart(props: EChartProps): ReactNode {
  return (
    <Suspense fallback={<BlockSkeleton height="100%" />}>
      <Chart {...props} />
    </Suspense>
  )
}

const Chart = lazy(async () => ({ default: (await import('./echart.tsx')).EChart }))
