import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import { MissingPart } from './feedback/missing-part.tsx'
import { createPartStore } from './part-store.ts'

/** A component whose code is loaded on first render. */
export interface FetchedPart<P> {
  (props: P): ReactNode
  /** Loads the code in advance. */
  prefetch: () => void
}

/**
 * A lazy component, in place of React's `lazy`: if loading fails, the screen stays usable and loading is retried.
 *
 * @param waiting rendered while loading; a message with a retry button replaces it on failure. Without it, nothing is
 * rendered
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
