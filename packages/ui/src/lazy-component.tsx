import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import { MissingPart } from './feedback/missing-part.tsx'
import { createPartStore } from './part-store.ts'

/** A component whose code comes when it is first shown. */
export interface FetchedPart<P> {
  (props: P): ReactNode
  /** Fetches the code in advance. */
  prefetch: () => void
}

/**
 * A component of a module of its own, in place of React's `lazy`: when its code cannot come, the screen goes on
 * without it, and it comes as soon as it can be had.
 *
 * @param waiting stands in its place until it is here, and says so when it cannot be had; nothing does when left out
 */
export function lazyComponent<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
  waiting?: (props: P) => ReactNode,
): FetchedPart<P> {
  const { subscribe, get, prefetch, retry } = createPartStore(fetch)
  function Part(props: P): ReactNode {
    const { part: Component, stage } = useSyncExternalStore(subscribe, get)
    if (Component) return <Component {...props} />
    if (!waiting) return null
    return stage === 'coming' ? (
      waiting(props)
    ) : (
      <MissingPart isRetried={stage === 'retried'} onRetry={retry} />
    )
  }
  return Object.assign(Part, { prefetch })
}
