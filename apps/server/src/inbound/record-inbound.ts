import type { KeyObject } from 'node:crypto'
import type { Pool, Sql } from '@emma/db/connection.ts'
import { appendEvents } from '@emma/delivery/6-react/append-events.ts'
import type { EventType, NewEvent } from '@emma/delivery/6-react/event.ts'
import { unsubscribeMember } from '@emma/delivery/6-react/set-subscription.ts'
import type { InboundKind, InboundMail, InboundRecipient } from '@emma/mail/bounce/inbound-mail.ts'
import { parseInbound } from '@emma/mail/bounce/parse-inbound.ts'
import { parseVerp, type Token, verifyToken } from '@emma/mail/token.ts'
import { sql as raw } from 'kysely'

/** What is done with a mail that came in. */
export interface Inbox {
  sql: Sql
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
 * Understands one mail that came back and writes what it says into the event log. Whose mail it is about stands in the
 * signed return path (VERP), or in the mail it quotes; what belongs to nobody is dropped. Answers what it was.
 */
export async function recordInbound(inbox: Inbox, recipient: string, source: Buffer): Promise<InboundKind> {
  const mail = parseInbound(source)
  const verp = parseVerp(inbox.tokenKey, recipient)
  const token = verp?.token ?? quotedToken(inbox.tokenKey, mail)
  if (!token || token.kind !== 'campaign') return 'other'
  const sent = await readSent(inbox.sql, token)
  if (!sent) return 'other'
  const isOptOut = verp?.purpose === 'unsubscribe' || mail.kind === 'unsubscribe'
  if (isOptOut && mail.kind !== 'bounce') {
    if (sent.member_table_id !== null)
      await unsubscribeMember(
        inbox.sql,
        { ...keyOf(token), memberTableId: sent.member_table_id },
        'mail',
        null,
      )
    return 'unsubscribe'
  }
  const type = eventOf[mail.kind]
  if (!type) return mail.kind
  await appendEvents(inbox.pool, [toEvent(type, token, sent, aboutWhom(mail))])
  return mail.kind
}

interface Sent {
  email: string
  provider_id: number
  member_table_id: number | null
}

async function readSent(sql: Sql, { clientId, campaignId, memberId }: Token): Promise<Sent | undefined> {
  const found = await raw<Sent>`
    select d.email, d.provider_id, c.member_table_id
    from delivery d join campaign c using (client_id, campagne_id)
    where d.client_id = ${clientId} and d.campagne_id = ${campaignId} and d.member_id = ${memberId}`.execute(
    sql,
  )
  return found.rows[0]
}

/** A return path belongs to one recipient; of several in a report, the one that failed is meant. */
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
 * A complaint quotes the mail it is about: its return path, its List-Unsubscribe, its CFBL-Feedback-ID or its Message-ID
 * carry the token, and reporters leave different ones of them in.
 */
function quotedToken(key: KeyObject, { originalHeaders, originalMessageId }: InboundMail): Token | null {
  const header = (name: string) => originalHeaders?.[name] ?? ''
  const addresses = `${header('return-path')} ${header('list-unsubscribe')}`.match(VERP) ?? []
  for (const address of addresses) {
    const found = parseVerp(key, address)
    if (found) return found.token
  }
  const [local = ''] = (originalMessageId ?? '').split('@')
  return verifyToken(key, header('cfbl-feedback-id').trim()) ?? verifyToken(key, local)
}

const VERP = /[bu]-[a-z2-7]{40}@[^\s>,?]+/gi

function keyOf({ clientId, campaignId, memberId }: Token) {
  return { clientId, campaignId, memberId }
}
