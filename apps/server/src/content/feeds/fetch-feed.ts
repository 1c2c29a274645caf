import { fault } from '@emma/contract/faults.ts'
import { FeedFault } from '@emma/core/content/feeds.ts'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import { decodeSource } from '@emma/mail/template/read-source.ts'
import { CollectError } from '../../network/collect-bytes.ts'
import { FEED_LIMITS } from '../../network/limits.ts'
import type { Reach } from '../../provider/guarded-fetch.ts'
import { fetchFollowing, isRefused, REDIRECTS, RedirectError } from '../import/fetch-page.ts'
import { parseItems } from './parse-items.ts'

/**
 * Fetches an RSS, Atom or JSON feed.
 * @throws FeedFault: private address, no answer, too large, no feed
 */
export async function fetchFeed(url: string, reach: Reach): Promise<FeedItem[]> {
  const limits = { most: FEED_LIMITS.feedBytes, timeout: FEED_LIMITS.timeoutMs }
  const { response, url: base } = await fetchFollowing(url, reach, limits).catch((error: unknown) => {
    throw new FeedFault(faultOf(url, error))
  })
  if (!response.ok) throw new FeedFault(fault('feed.status', { url, status: response.status }))
  const charset = /charset\s*=\s*["']?([\w-]{2,40})/i.exec(response.headers.get('content-type') ?? '')?.[1]
  const items = parseItems(decodeSource(new Uint8Array(await response.arrayBuffer()), charset), base)
  if (items === null) throw new FeedFault(fault('feed.not_feed', { url }))
  return items
}

function faultOf(url: string, error: unknown) {
  if (isRefused(error)) return fault('feed.address', { url })
  if (error instanceof RedirectError) return fault('feed.redirects', { url, max: REDIRECTS })
  if (error instanceof CollectError && error.reason === 'too large')
    return fault('feed.size', { url, max: FEED_LIMITS.feedBytes / 1_048_576 })
  if (isTimeout(error)) return fault('feed.timeout', { url, seconds: FEED_LIMITS.timeoutMs / 1_000 })
  return fault('feed.unreachable', { url })
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /Timeout/.test(error.name) || isTimeout(error.cause)
}
