import type { Pool } from '@emma/db/connection.ts'
import { appendEvents } from '@emma/delivery/6-react/append-events.ts'
import type { NewEvent } from '@emma/delivery/6-react/event.ts'
import { describeAgent } from '@emma/mail/agent/describe-agent.ts'
import { judgeHit } from '@emma/mail/agent/judge-hit.ts'
import type { Token } from '@emma/mail/token.ts'
import type { Logger } from '../logger.ts'

/** An open, a click or a browser view as it came in. */
export interface Hit {
  type: 'open' | 'click' | 'view'
  token: Token
  at: Date
  linkIndex: number | null
  ip: string
  userAgent: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Hits are answered at once and written in sets, at the latest after this many milliseconds. */
const flushAfter = 200
/** Held back while the database is away; beyond, the newest are dropped and counted in the log. */
const mostKept = 100_000

/** Collects hits and writes them with their verdict. */
export interface HitLog {
  add(hit: Hit): void
  /** Writes what is left. */
  close(): Promise<void>
}

export function createHitLog(pool: Pool, logger: Logger): HitLog {
  let waiting: Hit[] = []
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    if (waiting.length > 0) writing = writing.then(flush)
  }, flushAfter)

  async function flush(): Promise<void> {
    const hits = waiting
    waiting = []
    if (hits.length === 0) return
    try {
      await appendEvents(pool, await judge(pool, hits))
    } catch (error) {
      waiting = [...hits, ...waiting].slice(0, mostKept)
      logger.error(
        { err: error, waiting: waiting.length },
        'hits could not be written; they are kept and tried again',
      )
    }
  }

  return {
    add(hit) {
      if (waiting.length < mostKept) waiting.push(hit)
      else if (dropped++ % 10_000 === 0)
        logger.error({ dropped }, 'too many hits wait to be written: some are lost')
    },
    async close() {
      clearInterval(timer)
      await writing
      await flush()
    },
  }
}

/** What is known of the mails that were hit: one question for the whole set. */
async function judge(pool: Pool, hits: readonly Hit[]): Promise<NewEvent[]> {
  const known = await readMails(pool, hits)
  const clicks = countClicks(hits)
  return hits.map(hit => {
    const { clientId, campaignId, memberId } = hit.token
    const mail = known.get(keyOf(hit.token))
    const agent = describeAgent(hit.userAgent)
    const judgement = judgeHit({
      kind: hit.type === 'click' ? 'click' : 'open',
      userAgent: hit.userAgent,
      ip: hit.ip,
      msSinceSent: mail?.recordedAt ? hit.at.getTime() - mail.recordedAt.getTime() : null,
      method: hit.method,
      headers: hit.headers,
      ...(hit.type === 'click' ? { sameSecondClicks: clicks.get(secondOf(hit))?.size ?? 1 } : {}),
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
      ip: hit.ip,
      user_agent: hit.userAgent.slice(0, 512),
      device: agent.device,
      agent_client: agent.client,
      verdict: judgement.verdict,
      verdict_reason: judgement.reason,
      provider_id: mail?.providerId ?? null,
    }
  })
}

interface Mail {
  email: string
  recordedAt: Date | null
  providerId: number
  memberTableId: number | null
}

async function readMails(pool: Pool, hits: readonly Hit[]): Promise<Map<string, Mail>> {
  const tokens = [...new Map(hits.map(hit => [keyOf(hit.token), hit.token])).values()]
  const { rows } = await pool.query(
    `select d.client_id, d.campagne_id, d.member_id, d.email, d.recorded_at, d.provider_id, c.member_table_id
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
      `${row.client_id}.${row.campagne_id}.${row.member_id}`,
      {
        email: row.email,
        recordedAt: row.recorded_at === null ? null : new Date(row.recorded_at),
        providerId: row.provider_id,
        memberTableId: row.member_table_id,
      },
    ]),
  )
}

/** Links of one mail clicked within one second: who follows many at once is no reader. */
function countClicks(hits: readonly Hit[]): Map<string, Set<number | null>> {
  const clicks = new Map<string, Set<number | null>>()
  for (const hit of hits) {
    if (hit.type !== 'click') continue
    const second = secondOf(hit)
    clicks.set(second, (clicks.get(second) ?? new Set()).add(hit.linkIndex))
  }
  return clicks
}

function keyOf({ clientId, campaignId, memberId }: Token): string {
  return `${clientId}.${campaignId}.${memberId}`
}

function secondOf(hit: Hit): string {
  return `${keyOf(hit.token)} ${Math.floor(hit.at.getTime() / 1000)}`
}
