import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'

interface UrlDrawer {
  /** Value of the search parameter; undefined while the drawer is closed. */
  value: unknown
  open: (value: unknown) => void
  close: () => void
}

/**
 * State of a drawer in the URL (`?history=true`): links open it, a reload keeps it open, and Back closes it instead of
 * leaving the screen.
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
      // Closes by going back, so that a later Back does not reopen the drawer.
      if (wasOpenedHere.current) history.back()
      else go(undefined, true)
      wasOpenedHere.current = false
    },
  }
}
