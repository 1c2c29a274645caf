import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { fetchedPart } from '../fetched-part.tsx'
import type { EChartProps } from './echart.tsx'

/** ECharts arrives with the first chart of a visit. */
export const LazyEChart = fetchedPart<EChartProps>(
  async () => (await import('./echart.tsx')).EChart,
  () => <BlockSkeleton height="100%" />,
)
