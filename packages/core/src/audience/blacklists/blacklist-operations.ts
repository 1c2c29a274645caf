import { campaignState, openStates } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { type RawBuilder, sql } from 'kysely'
import { assertDeletable } from '../../resource/assert-deletable.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { runningUploads } from '../uploads/running-uploads.ts'
import { isInForce } from './renew-entry.ts'
import { matchedValue, subjectOf } from './suppression.ts'
import { fault } from '@emma/contract/faults.ts'

const standard = resourceOperations(blacklist, {
  table: 'blacklist',
  references: [runningUploads('blacklist_id')],
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

  async removal(db, actor, scope, id) {
    const list = await standard.find(db, actor, scope, id)
    const users = await sql<{ id: number; name: string }>`
      select campagne_id as id, name from campaign
      where client_id = ${list.client_id} and blacklist_ids @> array[${id}::bigint] and deleted_at is null
        and valid = any(${[campaignState.draft, ...openStates]}::int[])
      order by campagne_id limit 10`.execute(db)
    const { references: uploads } = await standard.removal(db, actor, scope, id)
    const references = [...users.rows.map(user => ({ type: 'campaign', ...user })), ...uploads]
    return { deletable: references.length === 0, references }
  },

  async remove(db, actor, scope, id, options) {
    assertDeletable(await blacklistOperations.removal(db, actor, scope, id))
    return standard.remove(db, actor, scope, id, options)
  },
}
