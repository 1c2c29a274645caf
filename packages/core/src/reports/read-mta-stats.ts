import type { MtaStats } from '@emma/contract/actions/mta-stats.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { shareLinks } from '../platform/share-links.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { isAccepted, isHard, isOfMember, isRefused, isSent } from './counted.ts'

/** Links to the delivery figures of a campaign. */
export const mtaLinks = shareLinks({
  table: 'mta_share',
  key: 'campagne_id',
  object: 'campaign',
  permission: 'MtaStats:get',
})

interface Of {
  clientId: number
  campaignId: number
}

/** Delivery of one campaign as it is now (R242). Throws `not_found`. */
export async function readMtaStats(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
): Promise<MtaStats> {
  const { client_id: clientId, name, valid } = await campaignOperations.find(db, actor, scope, campaignId)
  const of = { clientId, campaignId }
  const [client, ledger, reasons] = await Promise.all([
    db.selectFrom('client').select('name').where('client_id', '=', clientId).executeTakeFirstOrThrow(),
    readLedger(db, of),
    readReasons(db, of),
  ])
  const last = ledger.map(row => row.last_at).reduce<string | null>(later, null)
  const sum = (count: (row: LedgerRow) => number) => ledger.reduce((total, row) => total + count(row), 0)
  const accepted = sum(row => row.accepted)
  return {
    campagne_id: campaignId,
    name,
    client: client.name,
    valid,
    expires_at: null,
    queue: {
      waiting: sum(row => row.waiting),
      deferred: sum(row => row.deferred),
      in_flight: sum(row => row.in_flight),
      unknown: sum(row => row.unknown),
    },
    accepted,
    rejected: sum(row => row.rejected),
    avg_s: accepted > 0 ? sum(row => (row.avg_s ?? 0) * row.accepted) / accepted : null,
    minutes: await readMinutes(db, of, valid === campaignState.running ? null : last),
    providers: ledger.map(({ in_flight: _claimed, unknown: _unknown, last_at: _last, ...row }) => row),
    reasons,
  }
}

/** Delivery figures for the secret of a link. Throws `not_found`, whatever is wrong. */
export async function openMtaStats(db: Db, campaignId: number, secret: string): Promise<MtaStats> {
  const { clientId, maker, expires_at } = await mtaLinks.open(db, campaignId, secret)
  return { ...(await readMtaStats(db, maker, { clientIds: [clientId] }, campaignId)), expires_at }
}

type LedgerRow = MtaStats['providers'][number] & {
  in_flight: number
  unknown: number
  /** Time of the last reply. */
  last_at: string | null
}

async function readLedger(db: Db, { clientId, campaignId }: Of): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select p.provider_id, p.name,
      count(*) filter (where d.state = 'pending') as waiting,
      count(*) filter (where d.state = 'deferred') as deferred,
      count(*) filter (where d.state = 'claimed') as in_flight,
      count(*) filter (where d.state = 'unknown') as unknown,
      count(*) filter (where ${isAccepted('d')}) as accepted,
      count(*) filter (where ${isRefused('d')}) as rejected,
      round(avg(extract(epoch from d.recorded_at - d.claimed_at)) filter (where ${isAccepted('d')}), 3) as avg_s,
      max(d.recorded_at) filter (where ${isSent('d')}) as last_at
    from delivery d join provider p using (provider_id)
    where d.client_id = ${clientId} and d.campagne_id = ${campaignId}
      and d.state not in ('skipped', 'cancelled') and ${isOfMember('d')}
    group by 1, 2 order by count(*) desc, 2`.execute(db)
  return rows
}

/** @param end time of the last reply; null: now */
async function readMinutes(db: Db, of: Of, end: string | null): Promise<MtaStats['minutes']> {
  const { clientId, campaignId } = of
  const last = sql`date_trunc('minute', coalesce(${end}::timestamptz, now()))`
  const { rows } = await sql<MtaStats['minutes'][number]>`
    with minute as (
      select ts from generate_series(${last} - interval '59 minutes', ${last}, interval '1 minute') as ts
    ),
    reply as (
      select date_trunc('minute', d.recorded_at) as ts, count(*) filter (where ${isAccepted('d')}) as accepted,
        count(*) filter (where ${isRefused('d')}) as rejected
      from delivery d
      where d.client_id = ${clientId} and d.campagne_id = ${campaignId} and ${isSent('d')} and ${isOfMember('d')}
        and d.recorded_at >= ${last} - interval '59 minutes' and d.recorded_at < ${last} + interval '1 minute'
      group by 1
    ),
    put_off as (
      select date_trunc('minute', e.ts) as ts, count(*) as deferred
      from event e
      where e.client_id = ${clientId} and e.campagne_id = ${campaignId} and e.type = 'deferred' and ${isOfMember('e')}
        and e.ts >= ${last} - interval '59 minutes' and e.ts < ${last} + interval '1 minute'
      group by 1
    )
    select minute.ts, coalesce(accepted, 0) as accepted, coalesce(rejected, 0) as rejected,
      coalesce(deferred, 0) as deferred
    from minute left join reply using (ts) left join put_off using (ts) order by 1`.execute(db)
  return rows
}

/** Most reasons that are listed. */
const mostReasons = 20

async function readReasons(db: Db, { clientId, campaignId }: Of): Promise<MtaStats['reasons']> {
  const { rows } = await sql<MtaStats['reasons'][number]>`
    select d.smtp_code, d.enhanced, d.class, ${isRefused('d')} and ${isHard('d')} as hard, count(*) as count
    from delivery d
    where d.client_id = ${clientId} and d.campagne_id = ${campaignId} and d.state in ('deferred', 'rejected')
      and ${isOfMember('d')}
    group by 1, 2, 3, 4 order by count(*) desc, 1, 2 limit ${mostReasons}`.execute(db)
  return rows
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one
}
