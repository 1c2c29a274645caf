import type { Db } from '@emma/db/connection.ts'
import type { MailProcess } from '../content/queue-process-mail.ts'
import { type RawBuilder, sql } from 'kysely'
import {
  suppressedBy,
  suppressionJoins,
  suppressionLookup,
  type SuppressionSubject,
} from './blacklists/suppression.ts'
import { pauseReason } from './contact-pause.ts'
import { gotSameKey, type SendOnceQuestion } from './send-once.ts'
import { type CapQuestion, cappedAddresses } from './frequency-cap.ts'

/** SQL conditions on a member (alias m): unsubscribed, bounced, complained, pending. */
export const memberFacts = {
  unsubscribed: sql<boolean>`m.dateunjoin is not null`,
  hardBounced: sql<boolean>`m.hardbounced_at is not null`,
  softBounced: sql<boolean>`m.softbounce_count > 0`,
  complained: sql<boolean>`m.complained_at is not null`,
  pending: sql<boolean>`m.doi_state = 'pending'`,
}

/**
 * Skip reasons that depend on the member row (alias m) alone, in the order of precedence of domain.md 2A, each with its
 * SQL condition.
 */
function memberConditions(
  doiRequired: RawBuilder<unknown>,
): readonly [reason: string, RawBuilder<unknown>][] {
  return [
    ['unsubscribed', memberFacts.unsubscribed],
    ['hardbounce', memberFacts.hardBounced],
    ['complaint', memberFacts.complained],
    // A member with a pending double opt-in never gets mail.
    ['doi_missing', sql`(${memberFacts.pending} or ${doiRequired} and m.doi_state <> 'confirmed')`],
  ]
}

/**
 * SQL expression: the `skip_reason` that depends on the member row (alias m) alone, or NULL.
 *
 * @param doiRequired SQL boolean: the datasource requires a confirmed double opt-in
 */
export function memberReason(doiRequired: RawBuilder<unknown>): RawBuilder<unknown> {
  const cases = memberConditions(doiRequired).map(
    ([reason, isSo]) => sql`when ${isSo} then ${sql.lit(reason)}`,
  )
  return sql`(case ${sql.join(cases, sql` `)} end)::skip_reason`
}

/** Whether a member (alias m) may get mail: negated conditions of `memberReason`, in a form that an index can serve. */
export function isActive({ doi_required }: { doi_required: boolean }): RawBuilder<boolean> {
  const conditions = memberConditions(sql.lit(doi_required))
  return sql`(${sql.join(
    conditions.map(([, isSo]) => sql`not ${isSo}`),
    sql` and `,
  )})`
}

/** The campaign settings that name suppression lists, a frequency cap and a send-once key. */
export interface CampaignAudience extends CapQuestion, SendOnceQuestion {
  blacklistIds: readonly number[]
}

/** Expression for a `skip_reason` or NULL, with the joins it needs. */
export interface SkipReason {
  joins: RawBuilder<unknown>[]
  reason: RawBuilder<unknown>
}

/** Expressions for the address and the id of a member. */
interface CampaignSubject extends SuppressionSubject {
  memberId: RawBuilder<unknown>
}

/**
 * Why a campaign skips a member: suppression, then send-once key, then frequency cap. The count before the start, the check and the
 * expansion combine the reasons in one order: `memberReason`, `addressFault`, this.
 *
 * @param access `lookup` reads the lists for each row; `join` hashes them, which takes a third of the time over a
 * million rows
 * @throws EmmaError `not_found` when the campaign's cap does not exist (any more)
 */
export async function campaignReason(
  db: Db,
  campaign: CampaignAudience,
  subject: CampaignSubject,
  access: 'lookup' | 'join',
): Promise<SkipReason> {
  const { clientId, blacklistIds } = campaign
  const capped = await cappedAddresses(db, campaign)
  const got = gotSameKey(campaign)
  if (access === 'lookup') {
    const suppressed = await suppressionLookup(db, clientId, blacklistIds, subject)
    const isCapped = capped.map(addresses => sql`${subject.address} in (${addresses})`)
    const further = sql`case ${got ? sql`when ${subject.memberId} in (${got}) then 'send_once'` : sql``}
      when ${sql.join([...isCapped, sql`false`], sql` or `)} then 'capping' end`
    return { joins: [], reason: sql`coalesce(${suppressed}, (${further})::skip_reason)` }
  }
  const suppressed = await suppressionJoins(db, clientId, blacklistIds, subject)
  const caps = capped.map((addresses, index) => ({ addresses, name: sql.ref(`capped_${index}`) }))
  const cases = [
    ...suppressed.cases,
    ...(got ? [sql`when got_id is not null then 'send_once'`] : []),
    ...caps.map(({ name }) => sql`when ${name}.address is not null then 'capping'`),
  ]
  return {
    joins: [
      ...suppressed.joins,
      ...(got ? [sql`left join (${got}) got_same_key (got_id) on got_id = ${subject.memberId}`] : []),
      ...caps.map(
        ({ addresses, name }) =>
          sql`left join (${addresses}) ${name} on ${name}.address = ${subject.address}`,
      ),
    ],
    reason: sql`(case ${sql.join(cases, sql` `)} end)::skip_reason`,
  }
}

/**
 * SQL expression: the `skip_reason` that applies to a member (alias m) now, or NULL: its own state, then the
 * suppression of its current address. Checked just before a mail is sent, hours or days after the expansion.
 */
export async function ineligibleReason(
  db: Db,
  clientId: number,
  { memberTableId, blacklistIds, process }: MailToMembers,
): Promise<RawBuilder<unknown>> {
  // A process mail may go to an address that its member does not have yet.
  const address = process === undefined ? sql.ref('m.email') : sql.ref('claimed.email')
  const suppressed = await suppressedBy(db, clientId, blacklistIds, address)
  const doiRequired = sql`(select doi_required from member_table
    where client_id = ${clientId}::bigint and member_table_id = ${memberTableId}::bigint)`
  const ownReason = () => {
    // Asked for by the person just now, and often because the old address bounces.
    if (process === 'data_request') return sql`null::skip_reason`
    if (process === 'doi_request' || process === 'unsub_done') return lastingReason
    return sql`coalesce(${memberReason(doiRequired)}, ${pendingReason(clientId, memberTableId)})`
  }
  const paused = process === undefined ? pauseReason(clientId) : sql`null::skip_reason`
  return sql`coalesce(${ownReason()}, ${suppressed}, ${paused})`
}

/** Mail that is about to be sent to members; `process`: of process mails, whose rows have the alias `claimed`. */
interface MailToMembers {
  memberTableId: number
  blacklistIds: readonly number[]
  process?: MailProcess | undefined
}

/**
 * Skip reason of the mails that ask for a subscription, and that confirm its end: they reach members who get no others,
 * except after bounces and complaints.
 */
const lastingReason = sql`(case when ${memberFacts.hardBounced} then 'hardbounce'
  when ${memberFacts.complained} then 'complaint' end)::skip_reason`

/** Skip reason from events that are not applied to the member's row (alias m) yet, because an import has locked it. */
function pendingReason(clientId: number, memberTableId: number): RawBuilder<unknown> {
  return sql`(
    select case when min(p.unsubscribed_at) is not null then 'unsubscribed'
      when min(p.hardbounced_at) filter (where p.address = lower(m.email)) is not null then 'hardbounce'
      when min(p.complained_at) is not null then 'complaint' end::skip_reason
    from member_pending_state as p
    where p.client_id = ${clientId}::bigint and p.member_table_id = ${memberTableId}::bigint
      and p.member_id = m.member_id)`
}

/**
 * Finds which addresses are suppressed for a client, for mail that is not sent to members.
 *
 * @returns the reason by address, as given
 */
export async function findSuppressed(
  db: Db,
  clientId: number,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const reason = await suppressedBy(db, clientId, [], sql.ref('a.email'))
  const { rows } = await sql<{ email: string; reason: string | null }>`
    select a.email, ${reason} as reason from unnest(${emails}::text[]) as a (email)`.execute(db)
  return new Map(rows.flatMap(row => (row.reason === null ? [] : [[row.email, row.reason]])))
}
