import { fault } from '@emma/contract/faults.ts'
import { type FeedContent, FeedFault, type FeedSource, type FetchFeed } from '@emma/core/content/feeds.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import { decodeSource } from '@emma/mail/template/read-source.ts'
import { CollectError } from '../../network/collect-bytes.ts'
import { FEED_LIMITS } from '../../network/limits.ts'
import type { Reach } from '../../provider/guarded-fetch.ts'
import { fetchFollowing, isRefused, REDIRECTS, RedirectError } from '../import/fetch-page.ts'
import { parseItems } from './parse-items.ts'
import { readJson } from './read-json.ts'

/**
 * Fetches feeds with their stored secrets.
 *
 * @param key of stored secrets
 */
export function feedFetcher(
  key: Buffer,
  reach: Reach = 'public',
  limits: FeedLimits = FEED_LIMITS,
): FetchFeed {
  return async source => {
    const { content } = await fetchFeed({ ...source, credentials: credentialsOf(key, source) }, reach, limits)
    return content
  }
}

/**
 * The header that a feed needs.
 * @throws FeedFault if the stored secret cannot be read
 */
export function credentialsOf(
  key: Buffer,
  { header, secret }: Pick<FeedSource, 'header' | 'secret'>,
): Record<string, string> {
  if (!header || !secret) return {}
  try {
    return { [header]: openSecret(key, secret) }
  } catch {
    throw new FeedFault(fault('feed.secret_sealed'))
  }
}

interface FeedLimits {
  dataBytes: number
  timeoutMs: number
}

interface FeedRequest extends Pick<FeedSource, 'type' | 'url'> {
  credentials: Readonly<Record<string, string>>
}

/**
 * Fetches an RSS, Atom or JSON feed, or the JSON of a data feed.
 * @throws FeedFault: private address, no answer, too large, no feed, no JSON
 */
export async function fetchFeed(
  { type, url, credentials }: FeedRequest,
  reach: Reach,
  limits: FeedLimits = FEED_LIMITS,
): Promise<{ content: FeedContent; bytes: number }> {
  const isData = type === 'data'
  // Loopback is for tests.
  if (isData && reach !== 'loopback' && !url.startsWith('https:'))
    throw new FeedFault(fault('feed.scheme', { url }))
  const bounds = { most: isData ? limits.dataBytes : FEED_LIMITS.feedBytes, timeout: limits.timeoutMs }
  const { response, url: base } = await fetchFollowing(url, reach, bounds, credentials).catch(
    (error: unknown) => {
      throw new FeedFault(faultOf(url, bounds, error))
    },
  )
  if (!response.ok) throw new FeedFault(fault('feed.status', { url, status: response.status }))
  const body = new Uint8Array(await response.arrayBuffer())
  const charset = /charset\s*=\s*["']?([\w-]{2,40})/i.exec(response.headers.get('content-type') ?? '')?.[1]
  const source = decodeSource(body, charset)
  return { content: isData ? jsonOf(source, url) : itemsOf(source, url, base), bytes: body.length }
}

function jsonOf(source: string, url: string): FeedContent {
  const read = readJson(source, url)
  if ('fault' in read) throw new FeedFault(read.fault)
  return read
}

function itemsOf(source: string, url: string, base: string): FeedContent {
  const items = parseItems(source, base)
  if (items === null) throw new FeedFault(fault('feed.not_feed', { url }))
  return { items }
}

function faultOf(url: string, { most, timeout }: { most: number; timeout: number }, error: unknown) {
  if (isRefused(error)) return fault('feed.address', { url })
  if (error instanceof RedirectError) return fault('feed.redirects', { url, max: REDIRECTS })
  if (error instanceof CollectError && error.reason === 'too large')
    return fault('feed.size', { url, max: most / 1_048_576 })
  if (isTimeout(error)) return fault('feed.timeout', { url, seconds: timeout / 1_000 })
  return fault('feed.unreachable', { url })
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /Timeout/.test(error.name) || isTimeout(error.cause)
}
