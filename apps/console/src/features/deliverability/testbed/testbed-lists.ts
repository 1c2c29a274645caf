import { queryKeys } from '@emma/client/query-keys.ts'
import { listMailboxes, listTestbedMessages } from '@emma/contract/actions/deliverability.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shell/session/api.ts'
import type { TestbedState } from './testbed-state.ts'

/** Polling interval in ms while the page is visible; the testbed has no socket messages. */
export const pollEvery = 4000

/** Maximum number of rows that the server returns; older ones are found by search. */
const mostRows = 500

/** Rows of a pane, newest first. */
export interface PaneList<Row> {
  /** Undefined during the first load. */
  rows: readonly Row[] | undefined
  /** Number of all matching rows. */
  total: number
  error: Error | null
  retry: () => void
  /** Loads more rows; undefined if there are no more or the maximum is reached. */
  showMore: (() => void) | undefined
}

/** Mailboxes whose address matches, most recent message first. */
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

/** Matching messages of one mailbox or of all. */
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

/** Number of messages in the testbed; undefined while loading. */
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
    // Rows stay visible if one poll fails; the next one follows.
    error: data ? null : error,
    retry: () => void refetch(),
    showMore: total > limit && limit < mostRows ? () => setLimit(Math.min(mostRows, limit * 4)) : undefined,
  }
}
