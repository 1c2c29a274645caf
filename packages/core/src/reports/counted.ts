import { type RawBuilder, sql } from 'kysely'

/**
 * Conditions on a row of the ledger or the event log (`alias`): the one definition of what figures count, shared by
 * reports, dashboards, exports and segments (domain.md 2F).
 */

/** Members only: seeds and proof copies have negative ids and are not recipients. */
export function isOfMember(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.member_id`)} > 0`
}

/** The receiving server or sending service has given its final reply: accepted or rejected. */
export function isSent(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} in ('sent', 'rejected')`
}

/** Still to be sent. */
export function isWaiting(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} in ('pending', 'claimed', 'deferred')`
}

/**
 * Event of a recipient of its campaign. One unsubscribe can leave several datasources, which gives several events of
 * the campaign but counts once.
 */
export function isOfRecipient(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`exists (
    select from delivery r where r.client_id = ${of('client_id')} and r.campagne_id = ${of('campagne_id')}
      and r.member_id = ${of('member_id')})`
}
