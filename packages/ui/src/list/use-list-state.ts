import { trimPathRight, useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { initialListState, type ListState, readListState, writeListState } from './list-state.ts'

export type ListStateChange = (state: ListState, options?: { replace?: boolean }) => void

export interface ListStateOptions {
  /** Names of the list's filters. */
  filters?: readonly string[]
  /** Initial state; the URL only contains differences from it. */
  defaults?: Partial<ListState>
}

const noFilters: readonly string[] = []

/**
 * State of a list in the URL of the route: `const [state, setState] = useListState({ … })`. Changes after a navigation
 * has started are dropped: a debounced search would end up in the next screen's URL.
 */
export function useListState(options: ListStateOptions = {}): [ListState, ListStateChange] {
  const { filters = noFilters, defaults } = options
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const pathname = useMatch({ strict: false, select: match => match.pathname })
  const state = useMemo(() => readListState(search, filters, defaults), [search, filters, defaults])
  const change = useCallback<ListStateChange>(
    (next, { replace = false } = {}) => {
      if (trimPathRight(router.latestLocation.pathname) !== trimPathRight(pathname)) return
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => ({
          ...withoutListParameters(current, filters),
          ...writeListState(next, defaults),
        }),
        replace,
        resetScroll: false,
      })
    },
    [router, pathname, navigate, filters, defaults],
  )
  return [state, change]
}

/** State of a list embedded in a page (a drawer, a tab), not in the URL. */
export function useLocalListState(defaults: Partial<ListState> = {}): [ListState, ListStateChange] {
  const [state, setState] = useState<ListState>({ ...initialListState, ...defaults })
  return [state, setState]
}

function withoutListParameters(
  search: Record<string, unknown>,
  filters: readonly string[],
): Record<string, unknown> {
  const own = new Set(['q', 'sort', 'page', 'size', ...filters])
  return Object.fromEntries(Object.entries(search).filter(([name]) => !own.has(name)))
}
