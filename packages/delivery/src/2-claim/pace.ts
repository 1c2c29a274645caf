import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { type CampaignKey, keyOf } from '../campaign-key.ts'

/** The speed of a campaign, as the specification has it. */
export interface Pace {
  mails: number
  unit: string
}

const SECONDS: Record<string, number> = { minute: 60, hour: 3600, day: 86_400 }

/** Mails a second. */
export function ratePerSecond({ mails, unit }: Pace): number {
  return mails / (SECONDS[unit] ?? SECONDS.hour ?? 3600)
}

/** A bucket holds one second of mails: an engine that was held up catches up on no more than that. */
const BUCKET_SECONDS = 1

/**
 * Fills the buckets of throttled campaigns by the database's clock and cuts each grant to what is in it. The buckets stay
 * locked until the transaction ends, so that engines cannot spend the same tokens twice.
 */
export async function takeTokens<G extends CampaignKey & { limit: number; pace: Pace | null }>(
  tx: Sql,
  grants: readonly G[],
): Promise<G[]> {
  // In one order everywhere: two engines must not wait for each other.
  const throttled = grants
    .filter(grant => grant.pace !== null)
    .toSorted((a, b) => a.clientId - b.clientId || a.campaignId - b.campaignId)
  if (throttled.length === 0) return [...grants]
  const rates = throttled.map(({ pace }) => (pace === null ? 0 : ratePerSecond(pace)))
  const wanted = raw`unnest(
      ${throttled.map(grant => grant.clientId)}::int[], ${throttled.map(grant => grant.campaignId)}::bigint[],
      ${rates}::float8[]
    ) as wanted (client_id, campagne_id, rate)`
  await raw`
    insert into campaign_pace (client_id, campagne_id, tokens, refilled_at)
    select client_id, campagne_id, 1, clock_timestamp() from ${wanted}
    on conflict (client_id, campagne_id) do nothing`.execute(tx)
  const { rows } = await raw<CampaignKey & { tokens: number }>`
    update campaign_pace p
    set refilled_at = clock_timestamp(), tokens = least(
      greatest(1, rate * ${BUCKET_SECONDS}::float8),
      tokens + rate * extract(epoch from clock_timestamp() - refilled_at)::float8
    )
    from ${wanted}
    where p.client_id = wanted.client_id and p.campagne_id = wanted.campagne_id
    returning p.client_id as "clientId", p.campagne_id as "campaignId", tokens`.execute(tx)
  const tokens = new Map(rows.map(row => [keyOf(row), Math.floor(row.tokens)]))
  return grants.map(grant =>
    grant.pace === null ? grant : { ...grant, limit: Math.min(grant.limit, tokens.get(keyOf(grant)) ?? 0) },
  )
}

/** Takes what was really claimed out of the buckets. */
export async function spendTokens(
  tx: Sql,
  grants: readonly (CampaignKey & { pace: Pace | null })[],
  claimed: readonly CampaignKey[],
): Promise<void> {
  const spent = grants
    .filter(grant => grant.pace !== null)
    .map(grant => ({ ...grant, count: claimed.filter(row => keyOf(row) === keyOf(grant)).length }))
    .filter(grant => grant.count > 0)
  if (spent.length === 0) return
  await raw`
    update campaign_pace p
    set tokens = tokens - spent.count
    from unnest(
      ${spent.map(grant => grant.clientId)}::int[], ${spent.map(grant => grant.campaignId)}::bigint[],
      ${spent.map(grant => grant.count)}::int[]
    ) as spent (client_id, campagne_id, count)
    where p.client_id = spent.client_id and p.campagne_id = spent.campagne_id`.execute(tx)
}
