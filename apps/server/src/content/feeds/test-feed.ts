import type { testFeed as action } from '@emma/contract/actions/content.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { maxFeedItems } from '@emma/contract/resources/placeholder.ts'
import { FeedFault, findFeedSecret, keepFeed } from '@emma/core/content/feeds.ts'
import { assertFeedUrl, originOf } from '@emma/core/content/placeholder-operations.ts'
import type { Db } from '@emma/db/connection.ts'
import { addressColumns, personalAddress } from '@emma/mail/template/personal-address.ts'
import type { z } from 'zod'
import type { Reach } from '../../provider/guarded-fetch.ts'
import { credentialsOf, fetchFeed } from './fetch-feed.ts'

/** Longest JSON that is shown. */
const SHOWN_CHARACTERS = 20_000

/**
 * Fetches a feed or data feed with the settings of a form, and keeps the copy if the placeholder has the same address.
 * @throws EmmaError `invalid` with why it cannot be read
 */
export async function testFeed(
  db: Db,
  key: Buffer,
  clientId: number,
  body: z.output<typeof action.body>,
  reach: Reach,
): Promise<z.input<typeof action.response>> {
  const { type, feed_url: address, module_id: moduleId } = body
  const url = body.values ? addressFor(address, body.values) : address
  assertFeedUrl(url, reach !== 'loopback' && (type === 'data' || Boolean(body.feed_header)))
  const start = performance.now()
  const answer = async () =>
    fetchFeed({ type, url, credentials: await findCredentials(db, key, clientId, body) }, reach)
  const { content, bytes } = await answer().catch((error: unknown) => {
    if (!(error instanceof FeedFault)) throw error
    throw invalid([{ field: 'feed_url', ...error.fault }])
  })
  const milliseconds = Math.round(performance.now() - start)
  if (moduleId) await keepFeed(db, { clientId, moduleId, type, url: address }, content)
  const items = 'items' in content ? content.items.slice(0, maxFeedItems) : []
  return {
    items: items.map(({ key: _, ...item }) => item),
    json: 'data' in content ? JSON.stringify(content.data, null, 2).slice(0, SHOWN_CHARACTERS) : null,
    bytes,
    milliseconds,
  }
}

/** The address of a recipient with these values. */
function addressFor(address: string, values: Record<string, string>): string {
  if (addressColumns(address) === null)
    throw invalid([fieldError('feed_url', 'feed.personal', { example: '{{ member.member_id }}' })])
  const url = personalAddress(address, values)
  if (url === null) throw invalid([fieldError('values', 'field.required')])
  return url
}

/** The header with the secret that was entered, or the stored one if the host is the same. */
async function findCredentials(
  db: Db,
  key: Buffer,
  clientId: number,
  {
    feed_url: url,
    feed_header: header,
    feed_secret: given,
    module_id: moduleId,
  }: z.output<typeof action.body>,
): Promise<Record<string, string>> {
  if (!header) return {}
  if (given) return { [header]: given }
  const stored = moduleId ? await findFeedSecret(db, clientId, moduleId) : null
  if (!stored?.secret) throw invalid([fieldError('feed_secret', 'field.required')])
  if (originOf(stored.url) !== originOf(url))
    throw invalid([fieldError('feed_secret', 'field.secret_again', { fields: 'feed_url' })])
  return credentialsOf(key, { header, secret: stored.secret })
}
