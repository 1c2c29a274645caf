import { createLoadingCounter } from '@emma/client/loading-counter.ts'

/** Counts pending API calls for the loading bar (R018). */
export const loading = createLoadingCounter()
