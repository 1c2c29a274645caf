import { EmmaError } from '@emma/contract/errors.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, systemActor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { type Datasource, membersTable } from './datasources/datasource.ts'
import { markChanged } from './datasources/datasource-stats.ts'
import { isSubscribed } from './members/is-subscribed.ts'
import { lockMembers } from './members/lock-members.ts'
import { clientLanguage, queueProcessMail } from '../content/queue-process-mail.ts'
import type { EmailRecipient } from './members/email-recipient.ts'
import { addOptOuts, forgetUnsubscription } from './blacklists/opt-out.ts'
import { fault } from '@emma/contract/faults.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/** A member, and the campaign of the email that led to the change. */
export type MemberOfEmail = Pick<EmailRecipient, 'memberId' | 'campaignId'>

export interface SubscriptionChange {
  /**
   * Preference or unsubscribe page, one-click POST of a mail client (RFC 8058), unsubscribe email, sending service,
   * console, or link of a confirmation request (double opt-in).
   */
  source: 'page' | 'one-click' | 'preferences' | 'mail' | 'esp' | 'console' | 'doi'
  /** The user; undefined when the subscriber did it. */
  actor?: Actor | undefined
  ip?: string | null | undefined
  /** Language of the mail that confirms an unsubscription; default: the client's. */
  lang?: ProcessMailContent['lang'] | undefined
  /** Reason for a resubscription by a user, stored with the event as proof. */
  reason?: string | undefined
}

/**
 * Unsubscribes members: state, event, audit log and counters. Idempotent. Does not wait for imports: a member whose row
 * is locked is written to member_pending_state, which the claim of emails respects and which is applied once the row is
 * unlocked (events/apply-pending-state.ts).
 *
 * @returns whether any of the members exists
 */
export async function unsubscribe(
  db: Db,
  table: Table,
  members: readonly MemberOfEmail[],
  change: SubscriptionChange,
): Promise<boolean> {
  return transaction(db, async tx => {
    const ids = members.map(({ memberId }) => memberId)
    const locked = await lockMembers(tx, table, ids)
    const { rows } = await sql<{ member_id: number; email: string; is_subscribed: boolean }>`
      select m.member_id, m.email, ${isSubscribed(table)} as is_subscribed
      from ${membersTable(table.member_table_id)} as m
      where m.client_id = ${table.client_id} and m.member_id = any(${ids}::bigint[])`.execute(tx)
    const subscribed = rows.filter(row => row.is_subscribed)
    const free = subscribed.filter(row => locked.has(row.member_id))
    const busy = subscribed.filter(row => !locked.has(row.member_id))
    await setUnsubscribed(table, sql`m.member_id = any(${free.map(row => row.member_id)}::bigint[])`).execute(
      tx,
    )
    const pending = await addPending(tx, table, busy)
    await queueGoodbyes(tx, table, [...free, ...pending], change)
    const campaigns = new Map(members.map(({ memberId, campaignId }) => [memberId, campaignId]))
    for (const { member_id, email } of [...free, ...pending])
      await logSubscription(tx, table, change, {
        type: 'unsubscribe',
        memberId: member_id,
        campaignId: campaigns.get(member_id) ?? null,
        email,
        dateunjoin: [null, new Date().toISOString()],
      })
    if (free.length > 0) await markChanged(tx, table)
    return rows.length > 0
  })
}

/**
 * Resubscribes a member, at the subscriber's request or by a user who gives a reason; the history stays.
 *
 * @returns whether the member was unsubscribed
 * @throws EmmaError `conflict` while an import has locked the member
 */
export async function resubscribe(
  db: Db,
  table: Table,
  { memberId, campaignId }: MemberOfEmail,
  change: SubscriptionChange,
): Promise<boolean> {
  return transaction(db, async tx => {
    const undone = await sql`
      update member_pending_state set unsubscribed_at = null
      where client_id = ${table.client_id} and member_table_id = ${table.member_table_id}
        and member_id = ${memberId} and unsubscribed_at is not null`.execute(tx)
    const locked = await lockMembers(tx, table, [memberId])
    const { rows } = await sql<{ email: string; dateunjoin: string | null }>`
      select email, dateunjoin from ${membersTable(table.member_table_id)}
      where client_id = ${table.client_id} and member_id = ${memberId}`.execute(tx)
    const [member] = rows
    if (!member || (member.dateunjoin === null && !undone.numAffectedRows)) return false
    if (member.dateunjoin !== null && !locked.has(memberId))
      throw new EmmaError('conflict', fault('refusal.subscriber_busy'))
    if (member.dateunjoin !== null)
      await sql`
        update ${membersTable(table.member_table_id)}
        set dateunjoin = null, updated_at = now(), revision = revision + 1
        where client_id = ${table.client_id} and member_id = ${memberId}`.execute(tx)
    await forgetUnsubscription(table, member.email).execute(tx)
    await logSubscription(tx, table, change, {
      type: 'join',
      memberId,
      campaignId,
      email: member.email,
      dateunjoin: [member.dateunjoin, null],
    })
    await markChanged(tx, table)
    return true
  })
}

/** Unsubscriptions by the subscriber, which are confirmed by mail if the client has a text for it. */
const ownSources: ReadonlySet<SubscriptionChange['source']> = new Set([
  'page',
  'one-click',
  'preferences',
  'mail',
])

async function queueGoodbyes(
  tx: Db,
  table: Table,
  members: readonly MemberRow[],
  { source, lang }: SubscriptionChange,
): Promise<void> {
  if (!ownSources.has(source) || members.length === 0) return
  const cause = `unsubscribed ${new Date().toISOString()}`
  const language = lang ?? (await clientLanguage(tx, table.client_id))
  for (const { member_id: memberId } of members)
    await queueProcessMail(tx, { table, memberId, process: 'unsub_done', lang: language, cause })
}

/** Unsubscribes the recipient of an email, even if the member was deleted: adding the address again keeps the opt-out. */
export async function unsubscribeRecipient(
  db: Db,
  recipient: EmailRecipient,
  change: SubscriptionChange,
): Promise<void> {
  const { table, state, memberId: member_id, email, campaignId } = recipient
  await transaction(db, async tx => {
    if (state === 'member' && (await unsubscribe(tx, table, [recipient], change))) return
    const isNew =
      state === 'locked'
        ? (await addPending(tx, table, [{ member_id, email }])).length > 0
        : Boolean((await addOptOuts(table, sql`select ${email}::text as email`).execute(tx)).numAffectedRows)
    if (!isNew) return
    const dateunjoin: LoggedChange['dateunjoin'] = [null, new Date().toISOString()]
    const logged = { memberId: member_id, campaignId, email, dateunjoin }
    await logSubscription(tx, table, change, { type: 'unsubscribe', ...logged })
  })
}

/**
 * Resubscribes the recipient of an email.
 *
 * @throws EmmaError `conflict` while an import has locked the member
 */
export async function resubscribeRecipient(
  db: Db,
  recipient: EmailRecipient,
  change: SubscriptionChange,
): Promise<void> {
  const { table, state, memberId, email, campaignId } = recipient
  await transaction(db, async tx => {
    if (state === 'member') {
      await resubscribe(tx, table, recipient, change)
      return
    }
    const { numAffectedRows } = await forgetUnsubscription(table, email).execute(tx)
    if (!numAffectedRows) return
    const logged = { memberId, campaignId, email, dateunjoin: [null, null] satisfies [null, null] }
    await logSubscription(tx, table, change, { type: 'join', ...logged })
  })
}

/**
 * UPDATE for an import that has locked the members: unsubscribes those (alias m) that match the condition, which may
 * refer to tables in `using`.
 */
export function setUnsubscribed(
  { client_id, member_table_id }: Table,
  chosen: RawBuilder<unknown>,
  using: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    update ${membersTable(member_table_id)} as m
    set dateunjoin = now(), updated_at = now(), revision = m.revision + 1
    ${using} where m.client_id = ${client_id} and ${chosen} and m.dateunjoin is null`
}

/** INSERT of the events for an upload; run it before `setUnsubscribed` with the same condition. */
export function logUnsubscriptions(
  { client_id, member_table_id }: Table,
  chosen: RawBuilder<unknown>,
  using: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into event (client_id, type, member_table_id, member_id, email, source)
    select m.client_id, 'unsubscribe', ${member_table_id}::bigint, m.member_id, m.email, 'upload'
    from ${membersTable(member_table_id)} as m, ${using}
    where m.client_id = ${client_id} and ${chosen} and m.dateunjoin is null`
}

interface MemberRow {
  member_id: number
  email: string
}

/** Returns the members that had no pending unsubscription yet. */
async function addPending(tx: Db, table: Table, busy: readonly MemberRow[]): Promise<MemberRow[]> {
  if (busy.length === 0) return []
  const { rows } = await sql<MemberRow>`
    insert into member_pending_state (client_id, member_table_id, member_id, address, unsubscribed_at)
    select ${table.client_id}::bigint, ${table.member_table_id}::bigint, member_id, lower(email), now()
    from unnest(${busy.map(row => row.member_id)}::bigint[], ${busy.map(row => row.email)}::text[]) as b (member_id, email)
    order by member_id
    on conflict (client_id, member_table_id, member_id, address) do update set unsubscribed_at = now()
      where member_pending_state.unsubscribed_at is null
    returning member_id`.execute(tx)
  const added = new Set(rows.map(row => row.member_id))
  return busy.filter(row => added.has(row.member_id))
}

interface LoggedChange {
  type: 'unsubscribe' | 'join'
  memberId: number
  campaignId: number | null
  email: string
  dateunjoin: [string | null, string | null]
}

/** Writes the event and the audit log entry. */
async function logSubscription(
  tx: Db,
  { client_id, member_table_id }: Table,
  { source, actor, ip, reason }: SubscriptionChange,
  { type, memberId, campaignId, email, dateunjoin }: LoggedChange,
): Promise<void> {
  const details = {
    ...(actor ? { user_id: actor.userId } : {}),
    ...(reason === undefined ? {} : { reason, unsubscribed_at: dateunjoin[0] }),
  }
  await sql`
    insert into event (client_id, type, campagne_id, member_table_id, member_id, email, source, ip, details)
    values (${client_id}, ${type}::event_type, ${campaignId}, ${member_table_id}, ${memberId}, ${email}, ${source},
      ${ip ?? null}::inet, ${Object.keys(details).length > 0 ? JSON.stringify(details) : null}::jsonb)`.execute(
    tx,
  )
  await logChange(tx, actor ?? systemActor(client_id), {
    clientId: client_id,
    object: 'member',
    id: memberId,
    action: type === 'join' ? 'resubscribe' : 'unsubscribe',
    changes: { dateunjoin, source: [null, source] },
  })
}
