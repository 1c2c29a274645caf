import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { findRecipient } from '../audience/members/email-recipient.ts'
import { unsubscribeRecipient } from '../audience/subscription.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { describeAgent } from '@emma/mail/agent/describe-agent.ts'
import { classifyEvent } from '@emma/mail/agent/classify-event.ts'
import type { EspEvent } from '@emma/mail/esp/esp-event.ts'
import { classifyReply } from '@emma/mail/smtp/classify-reply.ts'
import { parseVerp } from '@emma/mail/token.ts'
import { sql } from 'kysely'

/** Login that the events were sent to. */
export interface EventSource {
  clientId: number
  loginId: number
  /** Unique id of the webhook call, for deduplication; null when each event's own id suffices. */
  once: string | null
}

/**
 * Appends the events of a sending service to the event log, each once. The signed reference that the mail was sent with
 * identifies the recipient; events with an invalid signature or of another client are dropped.
 *
 * @returns the number of new, valid events
 */
export function recordEspEvents(
  db: Db,
  tokenKey: KeyObject,
  { clientId, loginId, once }: EventSource,
  events: readonly EspEvent[],
): Promise<number> {
  const own = events.flatMap(event => {
    const verp = parseVerp(tokenKey, `${event.reference}@reference`)
    const token = verp?.purpose === 'bounce' ? verp.token : undefined
    return token?.kind === 'campaign' && token.clientId === clientId && event.id !== ''
      ? [{ ...event, token }]
      : []
  })
  if (own.length === 0) return Promise.resolve(0)
  return transaction(db, async tx => {
    if (once !== null && !(await isFirst(tx, { clientId, loginId, once }))) return 0
    const fresh = await sql<{ event_id: string }>`
      insert into esp_event (client_id, login_id, event_id)
      select distinct ${clientId}::bigint, ${loginId}::bigint, id from unnest(${own.map(({ id }) => clean(id))}::text[]) as id
      order by id
      on conflict do nothing
      returning event_id`.execute(tx)
    const unseen = new Set(fresh.rows.map(row => row.event_id))
    // Of duplicate events in one call the first is used.
    const added = own.filter(({ id }) => unseen.delete(clean(id)))
    for (const { token } of added.filter(({ type }) => type === 'unsubscribe'))
      await unsubscribe(tx, { clientId, campaignId: token.campaignId, memberId: token.memberId })
    await append(
      tx,
      clientId,
      added.filter(({ type }) => type !== 'unsubscribe'),
    )
    return added.length
  })
}

/** Deletes event ids after 30 days, which is longer than services retry webhooks. */
export async function deleteOldEspEvents(db: Db): Promise<void> {
  await sql`delete from esp_event where received_at < now() - interval '30 days'`.execute(db)
}

async function isFirst(tx: Db, { clientId, loginId, once }: EventSource): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into esp_event (client_id, login_id, event_id) values (${clientId}, ${loginId}, ${clean(once ?? '')})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

async function unsubscribe(
  tx: Db,
  key: { clientId: number; campaignId: number; memberId: number },
): Promise<void> {
  const campaign = await tx
    .selectFrom('campaign')
    .select('member_table_id')
    .where('client_id', '=', key.clientId)
    .where('campagne_id', '=', key.campaignId)
    .executeTakeFirst()
  if (!campaign?.member_table_id) return
  const recipient = await findRecipient(tx, { ...key, memberTableId: campaign.member_table_id })
  if (recipient) await unsubscribeRecipient(tx, recipient, { source: 'esp' })
}

type OwnEvent = EspEvent & { token: { campaignId: number; memberId: number } }

/** Appends events of mails that are in the ledger, which provides the address and mailbox provider. */
async function append(tx: Db, clientId: number, events: readonly OwnEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(event => ({
    ...event,
    reply: event.text === '' ? null : clean(event.text),
    class: reasonOf(event),
    ...verdictOn(event),
    agent: event.userAgent === null ? null : describeAgent(clean(event.userAgent)),
  }))
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map(row => row[name])
  await sql`
    insert into event (client_id, ts, type, campagne_id, member_table_id, member_id, email, provider_id, ip, user_agent,
      device, agent_client, verdict, verdict_reason, smtp_code, enhanced, reply, class, hard, source)
    select ${clientId}::bigint, e.ts, e.type::event_type, d.campagne_id, c.member_table_id, d.member_id, d.email,
      d.provider_id, e.ip, e.user_agent, e.device, e.agent_client, e.verdict::hit_verdict,
      e.verdict_reason, e.smtp_code, e.enhanced, e.reply, e.class,
      case when e.type in ('bounce', 'deferred') then e.hard end, 'esp'
    from unnest(
      ${column('at')}::timestamptz[], ${column('type')}::text[], ${rows.map(row => row.token.campaignId)}::bigint[],
      ${rows.map(row => row.token.memberId)}::bigint[], ${rows.map(row => addressOf(row.ip))}::inet[],
      ${rows.map(row => row.userAgent && clean(row.userAgent).slice(0, 500))}::text[], ${rows.map(row => row.agent?.device ?? null)}::text[],
      ${rows.map(row => row.agent?.client ?? null)}::text[], ${column('verdict')}::text[], ${column('verdictReason')}::text[], ${column('code')}::smallint[], ${column('enhanced')}::text[], ${column('reply')}::text[],
      ${column('class')}::text[], ${column('hard')}::boolean[]
    ) as e (ts, type, campagne_id, member_id, ip, user_agent, device, agent_client, verdict, verdict_reason, smtp_code, enhanced, reply, class,
      hard)
    join delivery d on d.client_id = ${clientId} and d.campagne_id = e.campagne_id and d.member_id = e.member_id
    join campaign c on c.client_id = d.client_id and c.campagne_id = d.campagne_id`.execute(tx)
}

/**
 * Classifies opens and clicks like tracking events when the service reports the user agent; its own detection of
 * Apple's proxy takes precedence.
 */
function verdictOn({ type, userAgent, ip, isAppleProxy }: EspEvent) {
  if (type !== 'open' && type !== 'click') return { verdict: null, verdictReason: null }
  if (isAppleProxy) return { verdict: 'apple_mpp', verdictReason: 'esp' }
  if (userAgent === null) return { verdict: 'human', verdictReason: 'esp' }
  const hit = { kind: type, userAgent, ip: ip ?? '', msSinceSent: null, method: 'GET' } as const
  const { verdict, reason } = classifyEvent(hit)
  return { verdict, verdictReason: reason }
}

/** Bounce class from the reply text. Whether the bounce is hard is the service's decision. */
function reasonOf({ type, hard, code, enhanced, text }: EspEvent): string | null {
  if (type !== 'bounce' && type !== 'deferred') return null
  const found = classifyReply({ code: code ?? (hard ? 550 : 450), enhanced, text }).class
  return hard && found === 'other' ? 'bad-mailbox' : found
}

function addressOf(text: string | null): string | null {
  return text !== null && isIP(text) !== 0 ? text : null
}

/** Removes NUL and lone surrogates, which PostgreSQL cannot store. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
