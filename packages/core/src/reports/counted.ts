import { type RawBuilder, sql } from 'kysely'

/**
 * What the figures count, as conditions on a row of the ledger or the event log (`alias`): the one definition that
 * reports, dashboards, exports and segments share (domain.md 2F).
 */

/** Members only: seeds and proof copies have negative ids, and are no recipients. */
export function isOfMember(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.member_id`)} > 0`
}

/** Sent: the receiving server, or the sending service, has given its final answer, accepted or refused. */
export function isSent(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} in ('sent', 'rejected')`
}

/** Still to be sent. */
export function isWaiting(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} in ('pending', 'claimed', 'deferred')`
}

/**
 * An event of one of its campaign's own recipients. A person who leaves three datasources by one mail has three events of
 * that campaign, and is one unsubscribe of it.
 */
export function isOfRecipient(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`exists (
    select from delivery r where r.client_id = ${of('client_id')} and r.campagne_id = ${of('campagne_id')}
      and r.member_id = ${of('member_id')})`
}
