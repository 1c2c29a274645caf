import { createLoadingCounter } from '@emma/client/loading-counter.ts'

/** The calls under way, for the bar at the top (R018). */
export const loading = createLoadingCounter()
