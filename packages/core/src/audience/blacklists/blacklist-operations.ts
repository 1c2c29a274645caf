import { EmmaError } from '@emma/contract/errors.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { type RawBuilder, sql } from 'kysely'
import { listedReferences } from '../../campaigns/campaign-references.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { runningUploads } from '../uploads/running-uploads.ts'
import { isInForce } from './renew-entry.ts'
import { matchedValue, subjectOf } from './suppression.ts'
import { fault } from '@emma/contract/faults.ts'

const standard = resourceOperations(blacklist, {
  table: 'blacklist',
  references: [...listedReferences('blacklist_ids'), runningUploads('blacklist_id')],
  special: {
    globalblacklist: isGlobal,
    global: isGlobal,
    address: values => sql`exists (
      select from blacklist_entry as e
      where e.client_id = r.client_id and e.blacklist_id = r.blacklist_id
        and ${isInForce(sql.ref('e.expires_at'))}
        and e.value = any(array(
          select case r.match ${valueByMatch} end
          from unnest(${values.map(String)}::text[]) as address)))`,
  },
})

const subject = subjectOf(sql.ref('address'))
const valueByMatch = sql.join(
  Object.entries(matchedValue).map(([match, value]) => sql`when ${sql.lit(match)} then ${value(subject)}`),
  sql` `,
)

function isGlobal(values: unknown[]): RawBuilder<unknown> {
  return values.at(-1) === true ? sql`r.kind = 'client'` : sql`r.kind <> 'client'`
}

/**
 * CRUD operations of suppression lists. The filter `address` finds the lists that suppress an address,
 * `globalblacklist` the client-wide ones.
 */
export const blacklistOperations: Operations<typeof blacklist> = {
  ...standard,

  async patch(db, actor, scope, id, input, options) {
    const before = await standard.find(db, actor, scope, id)
    if (input.match !== undefined && input.match !== before.match && before.count !== 0)
      throw new EmmaError('wrong_state', fault('refusal.blacklist_match'))
    return standard.patch(db, actor, scope, id, input, options)
  },
}
