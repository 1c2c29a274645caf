import type { FieldError } from '@emma/contract/errors.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { addressColumns } from '@emma/mail/template/personal-address.ts'
import { findNestingFault } from '@emma/mail/template/modules.ts'
import { sealGiven, withBoundSecret } from '../resource/bound-secret.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { findModules } from './find-modules.ts'
import { requestPictures } from './request-pictures.ts'

/**
 * CRUD operations of placeholders. A text that makes placeholders contain each other is rejected with their path. The
 * secret of a feed is stored encrypted, never returned, and bound to the host.
 */
export function placeholderOperations(key: Buffer): Operations<typeof placeholder> {
  const records = resourceOperations(placeholder, {
    table: 'placeholder',
    json: ['body'],
    computed: ['feed_secret_set'],
    hidden: ['feed_secret'],
    toRecord: row => ({ feed_secret: null, feed_secret_set: row.feed_secret !== null }),
    toRow: input => ({ feed_secret: sealGiven(key, input.feed_secret) }),
  })
  const standard = withBoundSecret(records, {
    secret: 'feed_secret',
    isSet: 'feed_secret_set',
    destination: ['feed_url'],
    partOf: originOf,
    neededBy: 'feed_header',
    none: { feed_secret: null },
  })
  return withChecks(standard)
}

/** The scheme and host that get the secret of a feed. */
export function originOf(url: unknown): string | null {
  return typeof url === 'string' ? (URL.parse(url)?.origin ?? null) : null
}

function withChecks(standard: Operations<typeof placeholder>): Operations<typeof placeholder> {
  return {
    ...standard,
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const made = await standard.create(tx, actor, clientId, input)
        assertFeed(made)
        await assertNesting(tx, made)
        await requestPictures(tx, made.client_id, { modules: true })
        return made
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const record = await standard.patch(tx, actor, scope, id, input, options)
        assertFeed(record)
        await assertNesting(tx, record)
        await requestPictures(tx, record.client_id, { modules: true })
        return record
      })
    },
    remove(db, actor, scope, id, options) {
      return transaction(db, async tx => {
        const { client_id: clientId } = await standard.find(tx, actor, scope, id)
        await standard.remove(tx, actor, scope, id, options)
        await requestPictures(tx, clientId, { modules: true })
      })
    },
    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        await standard.restore(tx, actor, scope, id)
        const { client_id: clientId } = await standard.find(tx, actor, scope, id)
        await requestPictures(tx, clientId, { modules: true })
      })
    },
  }
}

type FeedFields = Pick<
  Row<typeof placeholder>,
  'type' | 'feed_url' | 'feed_header' | 'feed_scope' | 'feed_secret_set'
>

function assertFeed({
  type,
  feed_url: url,
  feed_header: header,
  feed_scope: scope,
  feed_secret_set: hasSecret,
}: FeedFields): void {
  if (type !== 'feed' && type !== 'data') return
  if (!url) throw invalid([fieldError('feed_url', 'field.required')])
  assertFeedUrl(url, type === 'data' || (header !== null && hasSecret))
  if (type === 'data' && scope === 'member') assertPersonal(url)
  if (header !== null && !hasSecret) throw invalid([fieldError('feed_secret', 'field.required')])
}

function assertPersonal(url: string): void {
  if (addressColumns(url) === null)
    throw invalid([fieldError('feed_url', 'feed.personal', { example: '{{ member.member_id }}' })])
}

/**
 * A feed has a web address without user name and password, which would be stored readable. Data, and secrets, travel
 * encrypted.
 */
export function assertFeedUrl(url: string, isEncrypted: boolean): void {
  const { protocol, username, password } = URL.parse(url) ?? {}
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password)
    throw invalid([fieldError('feed_url', 'feed.url')])
  if (isEncrypted && protocol !== 'https:') throw invalid([fieldError('feed_url', 'feed.scheme', { url })])
}

async function assertNesting(
  tx: Db,
  { client_id, token, body }: Pick<Row<typeof placeholder>, 'client_id' | 'token' | 'body'>,
): Promise<void> {
  const modules = await findModules(tx, client_id)
  const errors = Object.keys(body).flatMap((language): FieldError[] => {
    const found = findNestingFault(token, modules, language)
    return found ? [{ field: 'body', ...found }] : []
  })
  if (errors.length > 0) throw invalid(errors.slice(0, 1))
}
