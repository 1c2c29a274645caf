import { openStates } from '@emma/contract/campaign-states.ts'
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

/** Accepted by the receiving server or sending service; it may still bounce. */
export function isAccepted(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} = 'sent'`
}

/** Rejected by the receiving server or sending service. */
export function isRefused(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} = 'rejected'`
}

/** Accepted, or with unknown outcome: the recipient may have received it. */
export function mayHaveArrived(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} in ('sent', 'unknown')`
}

/** A delivery that bounced, during SMTP or later. */
export function hasBounced(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`exists (
    select from event b where b.client_id = ${of('client_id')} and b.campagne_id = ${of('campagne_id')}
      and b.member_id = ${of('member_id')} and b.type = 'bounce')`
}

/** Still to be sent. */
export function isWaiting(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.state`)} in ('pending', 'claimed', 'deferred')`
}

/** Still to be sent by its campaign, which has not ended, or in flight. */
export function willBeSent(alias: string, campaign: string): RawBuilder<boolean> {
  const state = sql.ref(`${alias}.state`)
  const of = (column: string) => sql.ref(`${campaign}.${column}`)
  return sql`(${state} = 'claimed' or ${state} in ('pending', 'deferred')
    and ${of('valid')} = any(${openStates}::int[]) and ${of('deleted_at')} is null)`
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

/** An open or click by a person, as far as can be told (classify-event.ts). */
export function isHuman(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.verdict`)} = 'human'`
}

/** An open or click by a proxy, a scanner or a program that fetches ahead. */
export function isMachine(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.verdict`)} <> 'human'`
}

/** Open by a person. */
export function isOpened(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.type`)} = 'open' and ${isHuman(alias)}`
}

/** Click by a person. */
export function isClicked(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.type`)} = 'click' and ${isHuman(alias)}`
}

/** Open or click by a person. */
export function isHit(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.type`)} in ('open', 'click') and ${isHuman(alias)}`
}

/** Open or click on a phone or tablet. */
export function isMobile(alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.device`)} in ('mobile', 'tablet')`
}

/** Hard bounce: the failure is permanent. Other bounces are soft. */
export function isHard(alias: string): RawBuilder<boolean> {
  return sql`coalesce(${sql.ref(`${alias}.hard`)}, false)`
}

/** Class of a bounce; `other` if unknown. */
export function bounceClass(alias: string): RawBuilder<string> {
  return sql`coalesce(${sql.ref(`${alias}.class`)}, 'other')`
}
