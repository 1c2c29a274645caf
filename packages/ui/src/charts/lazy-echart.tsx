import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { EChartProps } from './echart.tsx'

/** ECharts arrives with the first chart of a visit. */
export const LazyEChart = lazyComponent<EChartProps>(
  async () => (await import('./echart.tsx')).EChart,
  () => <BlockSkeleton height="100%" />,
)
