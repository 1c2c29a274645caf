import type { KeyObject } from 'node:crypto'
import { findRecipient } from '../audience/members/email-recipient.ts'
import { unsubscribeRecipient } from '../audience/subscription.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import { appendEvents } from './append-events.ts'
import type { EventDetails, EventType, NewEvent } from './event.ts'
import type { InboundKind, InboundMail, InboundRecipient } from '@emma/mail/bounce/inbound-mail.ts'
import type { ProvenComplaint } from '@emma/mail/bounce/prove-complaint.ts'
import { type AddressToken, findVerps, parseVerp, type Token, verifyToken } from '@emma/mail/token.ts'
import { sql } from 'kysely'
import { addressKey } from '@emma/mail/address.ts'

/** Dependencies for processing inbound mail. */
export interface Inbox {
  db: Db
  pool: Pool
  tokenKey: KeyObject
}

const eventOf: Partial<Record<InboundKind, EventType>> = {
  bounce: 'bounce',
  delayed: 'deferred',
  delivered: 'delivered',
  complaint: 'complaint',
  'auto-reply': 'auto_reply',
}

/**
 * Appends an inbound mail (bounce, complaint, auto-reply …) to the event log. The signed return path (VERP) or the
 * quoted mail identifies the recipient; mails without a valid token are ignored. Returns the kind of mail.
 *
 * @param proof authentication of a complaint; only used if it names the address that the mail was sent to
 */
export async function recordInbound(
  inbox: Inbox,
  recipient: string,
  mail: InboundMail,
  proof: ProvenComplaint | null = null,
): Promise<InboundKind> {
  const verp = parseVerp(inbox.tokenKey, recipient)
  const source = verp ?? quotedToken(inbox.tokenKey, mail)
  const token = source?.token
  if (!token || token.kind !== 'campaign') return 'other'
  const sent = await readSent(inbox.db, token)
  if (!sent) return 'other'
  if (mail.kind === 'unsubscribe' || (verp?.purpose === 'unsubscribe' && isWritten(mail.kind))) {
    const recipient =
      sent.member_table_id !== null &&
      (await findRecipient(inbox.db, { ...token, memberTableId: sent.member_table_id }))
    if (recipient) await unsubscribeRecipient(inbox.db, recipient, { source: 'mail' })
    return 'unsubscribe'
  }
  const type = eventOf[mail.kind]
  if (!type) return mail.kind
  // The unsubscribe address is in every mail: a complaint may quote it, but it does not prove a bounce.
  if (source.purpose === 'unsubscribe' && type !== 'complaint') return 'other'
  const details = type === 'complaint' ? provenDetails(proof, sent) : null
  await appendEvents(inbox.pool, [{ ...toEvent(type, token, sent, aboutWhom(mail)), details }])
  return mail.kind
}

/**
 * Whether a mail to the unsubscribe address is an unsubscribe request: anything but a report. Nothing is sent from that
 * address, so an automatic reply is the request of a mail client.
 */
function isWritten(kind: InboundKind): boolean {
  return kind === 'other' || kind === 'auto-reply'
}

interface Sent {
  email: string
  provider_id: number
  member_table_id: number | null
}

async function readSent(db: Db, { clientId, campaignId, memberId }: Token): Promise<Sent | undefined> {
  const found = await sql<Sent>`
    select d.email, d.provider_id, c.member_table_id
    from delivery d join campaign c using (client_id, campagne_id)
    where d.client_id = ${clientId} and d.campagne_id = ${campaignId} and d.member_id = ${memberId}`.execute(
    db,
  )
  return found.rows[0]
}

/** A report about another recipient with this mail's token inserted proves nothing. */
function provenDetails(proof: ProvenComplaint | null, { email }: Sent): EventDetails | null {
  if (proof === null || addressKey(proof.address) !== addressKey(email)) return null
  return { proven: true, signed_by: proof.signedBy }
}

/**
 * The recipient that a report is about: the one that failed, else the first, as a return path belongs to one recipient.
 */
function aboutWhom({ recipients }: InboundMail): InboundRecipient | undefined {
  return recipients.find(recipient => recipient.action === 'failed') ?? recipients[0]
}

function toEvent(type: EventType, token: Token, sent: Sent, about: InboundRecipient | undefined): NewEvent {
  const isBounce = type === 'bounce' || type === 'deferred'
  return {
    client_id: token.clientId,
    ts: new Date(),
    type,
    campagne_id: token.campaignId,
    member_table_id: sent.member_table_id,
    member_id: token.memberId,
    email: sent.email,
    provider_id: sent.provider_id,
    smtp_code: about?.reply ?? null,
    enhanced: about?.status ?? null,
    reply: about?.diagnostic.slice(0, 1000) ?? null,
    class: isBounce ? (about?.class ?? 'other') : null,
    hard: isBounce ? (about?.hard ?? false) : null,
    source: 'mail',
  }
}

/**
 * Token of the mail that a report quotes: in its return path, List-Unsubscribe, CFBL-Feedback-ID or Message-ID.
 * Reporters leave different ones of them in.
 */
function quotedToken(
  key: KeyObject,
  { originalHeaders, originalMessageId }: InboundMail,
): AddressToken | null {
  const header = (name: string) => originalHeaders?.[name] ?? ''
  const addresses = findVerps(`${header('return-path')} ${header('list-unsubscribe')}`)
  for (const address of addresses) {
    const found = parseVerp(key, address)
    if (found) return found
  }
  const [local = ''] = (originalMessageId ?? '').split('@')
  for (const text of [header('cfbl-feedback-id').trim(), local]) {
    const token = verifyToken(key, text, 'return')
    if (token) return { purpose: 'bounce', token }
    // Mails sent before tokens had purposes.
    const former = verifyToken(key, text, 'page')
    if (former) return { purpose: 'unsubscribe', token: former }
  }
  return null
}
