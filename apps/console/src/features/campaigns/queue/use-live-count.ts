import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

/** Interval in ms between two counts of a campaign while it runs, and otherwise. */
const COUNT_MS = { running: 4_000, other: 40_000 }

/** Times the duration of a count until the next one: counting takes at most a twentieth of the time, as in the engine. */
const REST = 20

/** Counts something of a campaign again and again; a campaign with millions of recipients is counted less often. */
export function useLiveCount<T>(
  queryKey: QueryKey,
  count: (signal: AbortSignal) => Promise<T>,
  isRunning: boolean,
) {
  const took = useRef(0)
  return useQuery({
    queryKey,
    async queryFn({ signal }) {
      const start = performance.now()
      const counted = await count(signal)
      took.current = performance.now() - start
      return counted
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => Math.max(isRunning ? COUNT_MS.running : COUNT_MS.other, REST * took.current),
  })
}
