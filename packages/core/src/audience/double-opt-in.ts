import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { queueProcessMail } from '../content/queue-process-mail.ts'
import { addressHash } from './blacklists/opt-out.ts'
import { type Datasource, membersTable } from './datasources/datasource.ts'
import { markChanged } from './datasources/datasource-stats.ts'
import { lockMembers } from './members/lock-members.ts'
import { resubscribe } from './subscription.ts'
import {
  type ConfirmationLink,
  findRequest,
  type LinkState,
  type RequestMail,
  stateOf,
  type StoredRequest,
} from './find-request.ts'
import { confirmSubmission } from './web-forms/confirm-submission.ts'

type Table = Pick<Datasource, 'client_id' | 'member_table_id'>

/** What a person agreed to, as shown then. */
export interface Consent {
  text: string
  version: string
}

/** Who asks to confirm which member, and the proof of it. */
export interface ConfirmationRequest {
  table: Table
  memberId: number
  source: 'form' | 'api' | 'import' | 'console'
  /** The member was added for this request: it is pending, and gets nothing else until it is confirmed. */
  isNew?: boolean
  lang?: ProcessMailContent['lang'] | undefined
  formId?: number | undefined
  /** The user who asks, from the console or by API. */
  userId?: number | undefined
  consent?: Consent | undefined
  /** URL of the page that shows the form. */
  page?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
  /** Days after which a reminder is sent, 0: none. Default: the datasource's setting. */
  reminderDays?: number | undefined
}

/**
 * `requested`: the mail is queued. `recent`: no second mail within an hour, or too many requests. `confirmed`: the
 * member is subscribed and confirmed already. A page must not show which, as that tells who is on the list.
 */
export type ConfirmationOutcome = 'requested' | 'recent' | 'confirmed'

/** Days in which a link can be used, once (domain.md 2C). */
export const LINK_DAYS = 14

/** Requests per member within `LINK_DAYS`, so that nobody's mailbox is filled by filling in a form. */
const MOST_REQUESTS = 5

/**
 * Asks a member to confirm the subscription (double opt-in), in the caller's transaction: stores the proof and queues
 * the mail. A member who gets mail keeps getting it until the confirmation is in; a new one, and one without a
 * required confirmation, becomes pending. An unsubscribed member stays unsubscribed until it confirms.
 *
 * @throws EmmaError `not_found`; `conflict` while an import has locked the member
 */
export async function requestConfirmation(
  db: Db,
  request: ConfirmationRequest,
): Promise<ConfirmationOutcome> {
  return transaction(db, async tx => {
    const { table, memberId } = request
    const locked = await lockMembers(tx, table, [memberId])
    const member = await readMember(tx, table, memberId)
    if (!locked.has(memberId)) throw new EmmaError('conflict', fault('refusal.subscriber_busy'))
    const isPending = request.isNew || (member.doi_required && member.doi_state === 'none')
    if (isPending) await setPending(tx, table, memberId)
    else if (member.doi_state === 'confirmed' && member.dateunjoin === null) return 'confirmed'
    if (await isTooSoon(tx, table, memberId)) return 'recent'
    const lang = request.lang ?? member.lang
    const { doi_request_id: doiRequestId } = await tx
      .insertInto('doi_request')
      .values({
        client_id: table.client_id,
        member_table_id: table.member_table_id,
        member_id: memberId,
        email: member.email,
        source: request.source,
        form_id: request.formId ?? null,
        user_id: request.userId ?? null,
        lang,
        consent_text: request.consent?.text ?? null,
        consent_version: request.consent?.version ?? null,
        page_url: request.page ?? null,
        requested_ip: request.ip ?? null,
        requested_agent: request.userAgent?.slice(0, 1000) ?? null,
        reminder_days: request.reminderDays ?? member.doi_reminder_days,
        expires_at: sql<string>`now() + make_interval(days => ${LINK_DAYS})`,
      })
      .returning('doi_request_id')
      .executeTakeFirstOrThrow()
    const cause = `request ${doiRequestId}`
    const { formId } = request
    await queueProcessMail(tx, { table, memberId, process: 'doi_request', lang, cause, doiRequestId, formId })
    return 'requested'
  })
}

/** A person's use of the link in a confirmation request. */
export interface Confirmation extends RequestMail {
  ip: string
  userAgent: string | null
}

/** Finds what the link of a confirmation request is for; null if there is no such request. */
export async function findConfirmation(db: Db, mail: RequestMail): Promise<ConfirmationLink | null> {
  const request = await findRequest(db, mail, ['subscription'])
  return request && { ...request, state: stateOf(request) }
}

/**
 * Confirms a request by its link: stores the proof, makes the member confirmed and subscribed, and queues the mails
 * that follow. Only for a person's action, never for the retrieval of a URL, as scanners follow links.
 *
 * @returns the state that the link had; `open` if it confirmed
 * @throws EmmaError `conflict` while an import has locked the member
 */
export async function confirmRequest(db: Db, confirmation: Confirmation): Promise<LinkState> {
  return transaction(db, async tx => {
    const request = await findRequest(tx, confirmation, ['subscription'], true)
    if (!request) return 'unknown'
    const state = stateOf(request)
    if (state !== 'open') return state
    const { client_id, member_table_id, member_id: memberId, email, lang, form_id: formId } = request
    const table = { client_id, member_table_id }
    const locked = await lockMembers(tx, table, [memberId])
    if (!locked.has(memberId)) {
      if (await isMember(tx, table, memberId))
        throw new EmmaError('conflict', fault('refusal.subscriber_busy'))
      return 'unknown'
    }
    // The owner of this mailbox cannot confirm the address that the member has meanwhile.
    const member = await readMember(tx, table, memberId)
    if (addressKey(member.email) !== addressKey(email)) return 'unknown'
    await closeRequests(tx, request, confirmation)
    await setConfirmed(tx, table, memberId, confirmation.ip)
    await confirmSubmission(tx, request)
    await sql`
      update member_opt_out set doi_pending = false
      where client_id = ${client_id} and member_table_id = ${member_table_id}
        and address_hash = ${addressHash(sql`${email}::text`)} and doi_pending`.execute(tx)
    const { ip, campaignId } = confirmation
    await resubscribe(tx, table, { memberId, campaignId }, { source: 'doi', ip })
    await markChanged(tx, table)
    const cause = `request ${request.doi_request_id}`
    for (const process of ['doi_done', 'welcome'] as const)
      await queueProcessMail(tx, { table, memberId, process, lang, cause, formId })
    return 'open'
  })
}

/** Sends a new link to the person whose link has expired, with the same consent. */
export async function renewRequest(db: Db, { ip, userAgent, ...mail }: Confirmation): Promise<void> {
  await transaction(db, async tx => {
    const request = await findRequest(tx, mail, ['subscription'], true)
    if (!request || stateOf(request) !== 'expired') return
    const { client_id, member_table_id, member_id: memberId, lang, source } = request
    const table = { client_id, member_table_id }
    if (!(await isMember(tx, table, memberId))) return
    const { form_id, consent_text: text, consent_version: version, page_url } = request
    await requestConfirmation(tx, {
      table,
      memberId,
      source,
      lang,
      ip,
      formId: form_id ?? undefined,
      page: page_url ?? undefined,
      consent: text !== null && version !== null ? { text, version } : undefined,
      userAgent: userAgent ?? undefined,
    })
  })
}

/** Stores the proof, and closes the member's other requests: their links have no effect any more. */
async function closeRequests(
  tx: Db,
  { client_id, member_table_id, member_id, doi_request_id }: StoredRequest,
  { ip, userAgent }: Confirmation,
): Promise<void> {
  await sql`
    update doi_request
    set confirmed_at = now(), confirmed_ip = ${ip}::inet, confirmed_agent = ${userAgent?.slice(0, 1000) ?? null}
    where client_id = ${client_id} and doi_request_id = ${doi_request_id}`.execute(tx)
  await sql`
    update doi_request set closed_at = now()
    where client_id = ${client_id} and member_table_id = ${member_table_id} and member_id = ${member_id}
      and purpose = 'subscription' and confirmed_at is null and closed_at is null`.execute(tx)
}

async function setConfirmed(
  tx: Db,
  { client_id, member_table_id }: Table,
  memberId: number,
  ip: string,
): Promise<void> {
  await sql`
    update ${membersTable(member_table_id)}
    set doi_state = 'confirmed', doi_at = now(), doi_ip = ${ip}::inet, updated_at = now(), revision = revision + 1
    where client_id = ${client_id} and member_id = ${memberId}`.execute(tx)
}

async function isMember(tx: Db, { client_id, member_table_id }: Table, memberId: number): Promise<boolean> {
  const { rows } = await sql`
    select from ${membersTable(member_table_id)}
    where client_id = ${client_id} and member_id = ${memberId}`.execute(tx)
  return rows.length > 0
}

interface DoiMember {
  email: string
  doi_state: 'none' | 'pending' | 'confirmed'
  dateunjoin: string | null
  doi_required: boolean
  doi_reminder_days: number
  /** The client's language. */
  lang: ProcessMailContent['lang']
}

async function readMember(
  tx: Db,
  { client_id, member_table_id }: Table,
  memberId: number,
): Promise<DoiMember> {
  const { rows } = await sql<DoiMember>`
    select m.email, m.doi_state, m.dateunjoin, t.doi_required, t.doi_reminder_days, client.language as lang
    from ${membersTable(member_table_id)} as m
    join member_table as t on t.client_id = m.client_id and t.member_table_id = ${member_table_id}
    join client on client.client_id = m.client_id
    where m.client_id = ${client_id} and m.member_id = ${memberId}`.execute(tx)
  const [member] = rows
  if (!member) throw new EmmaError('not_found')
  return member
}

async function setPending(tx: Db, table: Table, memberId: number): Promise<void> {
  await sql`
    update ${membersTable(table.member_table_id)}
    set doi_state = 'pending', updated_at = now(), revision = revision + 1
    where client_id = ${table.client_id} and member_id = ${memberId} and doi_state <> 'pending'`.execute(tx)
  await markChanged(tx, table)
}

/** The member's row is locked, so that two requests at once send one mail. */
async function isTooSoon(tx: Db, { client_id, member_table_id }: Table, memberId: number): Promise<boolean> {
  const { rows } = await sql<{ is_too_soon: boolean }>`
    select count(*) >= ${MOST_REQUESTS} or coalesce(max(requested_at) > now() - interval '1 hour', false) as is_too_soon
    from doi_request
    where client_id = ${client_id} and member_table_id = ${member_table_id} and member_id = ${memberId}
      and purpose = 'subscription' and confirmed_at is null
      and requested_at > now() - make_interval(days => ${LINK_DAYS})`.execute(tx)
  return rows[0]?.is_too_soon === true
}
