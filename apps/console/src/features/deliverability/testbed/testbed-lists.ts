import { queryKeys } from '@emma/client/query-keys.ts'
import { listMailboxes, listTestbedMessages } from '@emma/contract/actions/deliverability.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shell/session/api.ts'
import type { TestbedState } from './testbed-state.ts'

/** The testbed tells nobody of new mail: it is asked this often, in ms, while the page is in view. */
export const pollEvery = 4000

/** The server gives no more at once; what is older is found by searching. */
const mostRows = 500

/** Rows of a pane, newest first. */
export interface PaneList<Row> {
  /** Undefined while they load for the first time. */
  rows: readonly Row[] | undefined
  /** All there are. */
  total: number
  error: Error | null
  retry: () => void
  /** Shows more of them; undefined where there are none, or no more at once. */
  showMore: (() => void) | undefined
}

/** The mailboxes whose address matches, those with the newest mail first. */
export function useMailboxes({ address }: TestbedState) {
  const [limit, setLimit] = useState(50)
  const input = { limit, ...(address ? { search: address } : {}) }
  const query = useQuery({
    queryKey: queryKeys.action(listMailboxes, input),
    queryFn: ({ signal }) => api.call(listMailboxes, { query: input, ignoreCache: true, signal }),
    refetchInterval: pollEvery,
    placeholderData: keepPreviousData,
  })
  return paneList(query, limit, setLimit)
}

/** The mails of a mailbox, or of all, that match. */
export function useMessages({ mailbox, folder, search }: TestbedState) {
  const [limit, setLimit] = useState(50)
  const input = {
    limit,
    ...(mailbox ? { mailbox } : {}),
    ...(folder ? { folder } : {}),
    ...(search ? { search } : {}),
  }
  const query = useQuery({
    queryKey: queryKeys.action(listTestbedMessages, input),
    queryFn: ({ signal }) => api.call(listTestbedMessages, { query: input, ignoreCache: true, signal }),
    refetchInterval: pollEvery,
    placeholderData: keepPreviousData,
  })
  return paneList(query, limit, setLimit)
}

/** How many mails the testbed keeps; undefined until it is known. */
export function useMessageTotal(): number | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.action(listTestbedMessages, { limit: 1 }),
    queryFn: ({ signal }) =>
      api.call(listTestbedMessages, { query: { limit: 1 }, ignoreCache: true, signal }),
    refetchInterval: pollEvery,
  })
  return data?.pagination.total
}

interface Answer<Row> {
  data: { data: Row[]; pagination: { total: number } } | undefined
  error: Error | null
  refetch: () => unknown
}

function paneList<Row>(
  { data, error, refetch }: Answer<Row>,
  limit: number,
  setLimit: (limit: number) => void,
): PaneList<Row> {
  const total = data?.pagination.total ?? 0
  return {
    rows: data?.data,
    total,
    // What is shown stays while a single question fails; the next one comes by itself.
    error: data ? null : error,
    retry: () => void refetch(),
    showMore: total > limit && limit < mostRows ? () => setLimit(Math.min(mostRows, limit * 4)) : undefined,
  }
}
