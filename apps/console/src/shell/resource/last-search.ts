import type { AnyRouter } from '@tanstack/react-router'

/** The search parameters that a screen was left with, by its path: a list's datasource, search, filters and page. */
const searches = new Map<string, Record<string, unknown>>()

/** Remembers what each screen shows, for the ways back to it. */
export function rememberSearches(router: AnyRouter): void {
  router.subscribe('onResolved', ({ toLocation }) => {
    searches.set(toLocation.pathname, toLocation.search)
  })
}

/** With which search parameters a screen was open last; none where it was not open yet. */
export function lastSearchOf(path: string): Record<string, unknown> {
  return searches.get(path) ?? {}
}
