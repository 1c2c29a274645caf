import { isIP } from 'node:net'
import type { Pool } from '@emma/db/connection.ts'
import type { NewEvent } from '@emma/core/events/event.ts'
import { describeAgent } from '@emma/mail/agent/describe-agent.ts'
import { type Classification, classifyEvent } from '@emma/mail/agent/classify-event.ts'
import type { VerifiedEvent } from './tracking-event.ts'
import { createEventWindow, type EventWindow, mailOf } from './event-window.ts'

/**
 * Classifies tracking events: one ledger query for a whole set.
 * @param hits in order of arrival
 * @param later events that follow, classified another time
 */
export type ClassifyEvents = (
  hits: readonly VerifiedEvent[],
  later: readonly VerifiedEvent[],
) => Promise<NewEvent[]>

export function createEventClassifier(pool: Pool): ClassifyEvents {
  const window = createEventWindow()

  return async (hits, later) => {
    const [first] = hits
    if (!first) return []
    const mails = await readMails(pool, hits)
    window.forgetBefore(first.at)
    for (const hit of [...hits, ...later]) window.add(hit)
    return hits
      .filter(hit => !isTooLate(hit, mails.get(mailOf(hit))))
      .map(hit => toEvent(hit, mails.get(mailOf(hit)), window))
  }
}

/** Opens and clicks count for two years after sending, so that copied links cannot change old reports. */
const COUNTED_FOR = 2 * 366 * 24 * 3_600_000

function isTooLate(hit: VerifiedEvent, mail: Mail | undefined): boolean {
  const sentAt = mail?.recordedAt ?? mail?.claimedAt
  return sentAt !== null && sentAt !== undefined && hit.at - sentAt.getTime() > COUNTED_FOR
}

function toEvent(hit: VerifiedEvent, mail: Mail | undefined, window: EventWindow): NewEvent {
  const { clientId, campaignId, memberId } = hit.token
  const agent = describeAgent(hit.userAgent)
  const judgement = classifyIn(window, hit, mail ? sinceSent(mail, hit.at) : null)
  return {
    client_id: clientId,
    ts: new Date(hit.at),
    type: hit.type,
    campagne_id: campaignId,
    member_table_id: mail?.memberTableId ?? null,
    member_id: memberId,
    email: mail?.email ?? null,
    link_index: hit.linkIndex,
    ip: storableIp(hit.ip),
    user_agent: hit.userAgent,
    device: agent.device,
    agent_client: agent.client,
    verdict: judgement.verdict,
    verdict_reason: judgement.reason,
    provider_id: mail?.providerId ?? null,
  }
}

/** Classifies an event among those around it. */
export function classifyIn(
  window: EventWindow,
  hit: VerifiedEvent,
  msSinceSent: number | null,
): Classification {
  return classifyEvent({
    kind: hit.type === 'click' ? 'click' : 'open',
    userAgent: hit.userAgent,
    ip: hit.ip,
    msSinceSent,
    method: hit.method,
    isAhead: hit.isAhead,
    sameSecondClicks: hit.type === 'click' ? window.linksAround(hit) : 1,
    sameSecondMails: hit.isForwarded ? 1 : window.mailsAround(hit),
  })
}

/**
 * Milliseconds since the receiving host accepted the message, as far as known: the outcome is recorded later, after a
 * database outage much later, and both times may be those of another attempt.
 */
function sinceSent({ claimedAt, recordedAt }: Mail, at: number): number | null {
  const times = [claimedAt, recordedAt].flatMap(time => (time && time.getTime() <= at ? time.getTime() : []))
  return times.length === 0 ? null : at - Math.max(...times)
}

/**
 * A proxy may write anything into X-Forwarded-For, and one address that PostgreSQL rejects would block all events.
 */
function storableIp(ip: string): string | null {
  const bare = ip.split('%', 1)[0] ?? ''
  return isIP(bare) === 0 ? null : bare
}

interface Mail {
  email: string
  claimedAt: Date | null
  recordedAt: Date | null
  providerId: number
  memberTableId: number | null
}

async function readMails(pool: Pool, hits: readonly VerifiedEvent[]): Promise<Map<string, Mail>> {
  const tokens = [...new Map(hits.map(hit => [mailOf(hit), hit.token])).values()]
  const { rows } = await pool.query(
    `select d.client_id, d.campagne_id, d.member_id, d.email, d.provider_id, c.member_table_id, d.claimed_at, d.recorded_at
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as hit (client_id, campagne_id, member_id)
     join delivery d using (client_id, campagne_id, member_id)
     join campaign c using (client_id, campagne_id)`,
    [
      tokens.map(token => token.clientId),
      tokens.map(token => token.campaignId),
      tokens.map(token => token.memberId),
    ],
  )
  return new Map(
    rows.map(row => [
      `${row.client_id}/${row.campagne_id}/${row.member_id}`,
      {
        email: row.email,
        claimedAt: row.claimed_at === null ? null : new Date(row.claimed_at),
        recordedAt: row.recorded_at === null ? null : new Date(row.recorded_at),
        providerId: row.provider_id,
        memberTableId: row.member_table_id,
      },
    ]),
  )
}
