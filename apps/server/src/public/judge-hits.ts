import { isIP } from 'node:net'
import type { Pool } from '@emma/db/connection.ts'
import type { NewEvent } from '@emma/delivery/6-react/event.ts'
import { describeAgent } from '@emma/mail/agent/describe-agent.ts'
import { judgeHit } from '@emma/mail/agent/judge-hit.ts'
import type { Token } from '@emma/mail/token.ts'
import type { Hit } from './hit-log.ts'

/** Clicks are remembered this long: what a scanner clicks within a second may fall into two sets. */
const REMEMBER = 2_000

/** Makes events of hits, with who probably made them: one question to the ledger for a whole set. */
export function createHitJudge(pool: Pool): (hits: readonly Hit[]) => Promise<NewEvent[]> {
  let recent: Hit[] = []

  return async hits => {
    const mails = await readMails(pool, hits)
    const newest = hits.at(-1)?.at.getTime() ?? 0
    recent = [...recent.filter(hit => newest - hit.at.getTime() < REMEMBER), ...hits.filter(isClick)]
    const clicks = Map.groupBy(recent, hit => keyOf(hit.token))
    return hits.map(hit => toEvent(hit, mails.get(keyOf(hit.token)), clicks.get(keyOf(hit.token)) ?? []))
  }
}

function toEvent(hit: Hit, mail: Mail | undefined, clicks: readonly Hit[]): NewEvent {
  const { clientId, campaignId, memberId } = hit.token
  const agent = describeAgent(hit.userAgent)
  const judgement = judgeHit({
    kind: hit.type === 'click' ? 'click' : 'open',
    userAgent: hit.userAgent,
    ip: hit.ip,
    msSinceSent: mail?.sentAt ? hit.at.getTime() - mail.sentAt.getTime() : null,
    method: hit.method,
    headers: hit.headers,
    ...(isClick(hit) ? { sameSecondClicks: linksWithinASecond(hit, clicks) } : {}),
  })
  return {
    client_id: clientId,
    ts: hit.at,
    type: hit.type,
    campagne_id: campaignId,
    member_table_id: mail?.memberTableId ?? null,
    member_id: memberId,
    email: mail?.email ?? null,
    link_index: hit.linkIndex,
    ip: storableIp(hit.ip),
    user_agent: hit.userAgent.slice(0, 512),
    device: agent.device,
    agent_client: agent.client,
    verdict: judgement.verdict,
    verdict_reason: judgement.reason,
    provider_id: mail?.providerId ?? null,
  }
}

function isClick(hit: Hit): boolean {
  return hit.type === 'click'
}

function linksWithinASecond(hit: Hit, clicks: readonly Hit[]): number {
  const near = clicks.filter(other => Math.abs(other.at.getTime() - hit.at.getTime()) < 1_000)
  return Math.max(1, new Set(near.map(other => other.linkIndex)).size)
}

/** A proxy may write anything into X-Forwarded-For, and one address PostgreSQL refuses would hold up all hits. */
function storableIp(ip: string): string | null {
  const bare = ip.split('%', 1)[0] ?? ''
  return isIP(bare) === 0 ? null : bare
}

interface Mail {
  email: string
  /** When the receiving host accepted it; while that is not recorded yet, when it was handed over. */
  sentAt: Date | null
  providerId: number
  memberTableId: number | null
}

async function readMails(pool: Pool, hits: readonly Hit[]): Promise<Map<string, Mail>> {
  const tokens = [...new Map(hits.map(hit => [keyOf(hit.token), hit.token])).values()]
  const { rows } = await pool.query(
    `select d.client_id, d.campagne_id, d.member_id, d.email, d.provider_id, c.member_table_id,
       case when d.state = 'claimed' then d.claimed_at else d.recorded_at end as sent_at
     from unnest($1::int[], $2::bigint[], $3::bigint[]) as hit (client_id, campagne_id, member_id)
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
        sentAt: row.sent_at === null ? null : new Date(row.sent_at),
        providerId: row.provider_id,
        memberTableId: row.member_table_id,
      },
    ]),
  )
}

function keyOf({ clientId, campaignId, memberId }: Token): string {
  return `${clientId}/${campaignId}/${memberId}`
}
