import { testbedFolders } from '@emma/contract/actions/deliverability.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

export type Folder = (typeof testbedFolders)[number]

/** State of the testbed in the URL, so that links open a mailbox or a message. */
export interface TestbedState {
  /** Filters mailboxes by a part of their address. */
  address: string
  /** The selected mailbox; null for all. */
  mailbox: string | null
  folder: Folder | null
  /** Filters messages. */
  search: string
  /** Id of the open message. */
  message: number | null
}

export type TestbedChange = (change: Partial<TestbedState>, options?: { replace?: boolean }) => void

/** State in the URL of the route: `const [state, change] = useTestbedState()`. */
export function useTestbedState(): [TestbedState, TestbedChange] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => readTestbedState(search), [search])
  const change = useCallback<TestbedChange>(
    (changed, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => withChange(current, changed),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [state, change]
}

/** Parses the search parameters; invalid ones count as absent. */
export function readTestbedState(search: Readonly<Record<string, unknown>>): TestbedState {
  return {
    address: textOf(search['address']),
    mailbox: textOf(search['mailbox']).toLowerCase() || null,
    folder: testbedFolders.find(folder => folder === search['folder']) ?? null,
    search: textOf(search['q']),
    message: numberOf(search['message']),
  }
}

/** Search parameters after a change; those of other components stay. */
export function withChange(
  current: Readonly<Record<string, unknown>>,
  changed: Partial<TestbedState>,
): Record<string, unknown> {
  const { address, mailbox, folder, search, message } = { ...readTestbedState(current), ...changed }
  return {
    ...current,
    address: address || undefined,
    mailbox: mailbox ?? undefined,
    folder: folder ?? undefined,
    q: search || undefined,
    message: message ?? undefined,
  }
}

/**
 * Id of the message `by` rows below the open one, for j and k: the first if none in the list is open, the same at
 * either end, null for an empty list.
 */
export function neighbour(ids: readonly number[], open: number | null, by: 1 | -1): number | null {
  const at = open === null ? -1 : ids.indexOf(open)
  if (at === -1) return ids[0] ?? null
  return ids[at + by] ?? open
}

/** Converts a search parameter to text: the router parses digits as numbers. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 255) : ''
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}
