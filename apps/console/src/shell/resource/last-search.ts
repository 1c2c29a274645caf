import type { AnyRouter } from '@tanstack/react-router'

/** Last search parameters of each screen by path: a list's datasource, search, filters and page. */
const searches = new Map<string, Record<string, unknown>>()

/** Records the search parameters of each screen, for links back to it. */
export function rememberSearches(router: AnyRouter): void {
  router.subscribe('onResolved', ({ toLocation }) => {
    searches.set(toLocation.pathname, toLocation.search)
  })
}

/** Last search parameters of a path; empty if it has not been opened yet. */
export function lastSearchOf(path: string): Record<string, unknown> {
  return searches.get(path) ?? {}
}
