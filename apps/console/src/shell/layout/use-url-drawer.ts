import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'

interface UrlDrawer {
  /** What the drawer shows; undefined while it is closed. */
  value: unknown
  open: (value: unknown) => void
  close: () => void
}

/**
 * A drawer that is part of the address (`?history=true`): a link opens it, a reload keeps it, and the browser's Back closes
 * it instead of leaving the screen.
 *
 * @param name of the search parameter
 */
export function useUrlDrawer(name: string): UrlDrawer {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const wasOpenedHere = useRef(false)
  const go = (value: unknown, replace: boolean) =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({ ...current, [name]: value }),
      replace,
      resetScroll: false,
    })
  return {
    value: search[name],
    open(value) {
      wasOpenedHere.current = true
      go(value, false)
    },
    close() {
      // Closing is going back, so that Back afterwards does not open it again.
      if (wasOpenedHere.current) history.back()
      else go(undefined, true)
      wasOpenedHere.current = false
    },
  }
}
