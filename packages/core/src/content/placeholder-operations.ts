import type { FieldError } from '@emma/contract/errors.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { findNestingFault } from '@emma/mail/template/modules.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { findModules } from './find-modules.ts'

const standard = resourceOperations(placeholder, { table: 'placeholder', json: ['body'] })

/** CRUD operations of placeholders. A text that makes placeholders contain each other is rejected with their path. */
export const placeholderOperations: Operations<typeof placeholder> = {
  ...standard,
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const made = await standard.create(tx, actor, clientId, input)
      assertFeed(made)
      await assertNesting(tx, made)
      return made
    })
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const record = await standard.patch(tx, actor, scope, id, input, options)
      assertFeed(record)
      await assertNesting(tx, record)
      return record
    })
  },
}

function assertFeed({ type, feed_url: url }: Pick<Row<typeof placeholder>, 'type' | 'feed_url'>): void {
  if (type !== 'feed') return
  if (!url) throw invalid([fieldError('feed_url', 'field.required')])
  assertFeedUrl(url)
}

/** A feed has a web address without user name and password, which would be stored readable. */
export function assertFeedUrl(url: string): void {
  const { protocol, username, password } = URL.parse(url) ?? {}
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password)
    throw invalid([fieldError('feed_url', 'feed.url')])
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
