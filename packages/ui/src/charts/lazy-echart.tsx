import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { EChartProps } from './echart.tsx'

/** ECharts is loaded with the first chart. */
export const LazyEChart = lazyComponent<EChartProps>(
  async () => (await import('./echart.tsx')).EChart,
  () => <BlockSkeleton height="100%" />,
)
