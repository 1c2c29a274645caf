import { testbedFolders } from '@emma/contract/actions/deliverability.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

export type Folder = (typeof testbedFolders)[number]

/** What the testbed shows: kept in the URL, so that a link from elsewhere leads to one mailbox or one mail. */
export interface TestbedState {
  /** The mailboxes whose address has this in it. */
  address: string
  /** The mailbox whose mails are listed; null for those of all. */
  mailbox: string | null
  folder: Folder | null
  /** Narrows the mails. */
  search: string
  /** Number of the open mail. */
  message: number | null
}

export type TestbedChange = (change: Partial<TestbedState>, options?: { replace?: boolean }) => void

/** The state in the URL of the route: `const [state, change] = useTestbedState()`. */
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

/** Reads the search parameters; whatever makes no sense there counts as absent. */
export function readTestbedState(search: Readonly<Record<string, unknown>>): TestbedState {
  return {
    address: textOf(search['address']),
    mailbox: textOf(search['mailbox']).toLowerCase() || null,
    folder: testbedFolders.find(folder => folder === search['folder']) ?? null,
    search: textOf(search['q']),
    message: numberOf(search['message']),
  }
}

/** The search parameters after a change; parameters of other parts of the page stay. */
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
 * The mail `by` rows further down, for j and k: the first one where none of the rows is open, the same one at either
 * end; null for an empty list.
 */
export function neighbour(ids: readonly number[], open: number | null, by: 1 | -1): number | null {
  const at = open === null ? -1 : ids.indexOf(open)
  if (at === -1) return ids[0] ?? null
  return ids[at + by] ?? open
}

/** Numbers in an address arrive as numbers. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 255) : ''
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}
