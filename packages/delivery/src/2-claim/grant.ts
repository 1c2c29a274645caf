import type { CampaignKey } from '../campaign-key.ts'
import { divideSlots } from './divide-slots.ts'
import type { Bucket } from './pace.ts'

/** How many rows of a campaign may be claimed now. */
export interface Grant extends CampaignKey {
  limit: number
  /** The limits all its rows count for. */
  buckets: readonly Bucket[]
  /** Receivers with limits of their own. */
  parts: readonly Part[]
  /** Receivers nothing is claimed for. */
  closed: readonly number[]
}

/** What may be claimed for one receiving provider. */
export interface Part {
  providerId: number
  limit: number
  buckets: readonly Bucket[]
}

/** All limits the grants touch. */
export function bucketsIn(grants: readonly Grant[]): Bucket[] {
  return grants.flatMap(({ buckets, parts }) => [...buckets, ...parts.flatMap(part => part.buckets)])
}

/**
 * Cuts grants to what their buckets hold. A bucket that several share is divided as slots are: evenly over tenants, then
 * over their campaigns.
 *
 * @param available whole mails, by the bucket's name
 */
export function cutGrants<G extends Grant>(
  grants: readonly G[],
  available: ReadonlyMap<string, number>,
): G[] {
  const whole = cut(grants, available, grants)
  const parts = grants.flatMap(grant => grant.parts.map(part => ({ part, grant })))
  const limits = cut(
    parts.map(({ part }) => part),
    available,
    parts.map(({ grant }) => grant),
  )
  let next = 0
  return grants.map((grant, index) => ({
    ...grant,
    limit: whole[index] ?? 0,
    parts: grant.parts.map(part => ({ ...part, limit: limits[next++] ?? 0 })),
  }))
}

function cut(
  items: readonly { limit: number; buckets: readonly Bucket[] }[],
  available: ReadonlyMap<string, number>,
  owners: readonly CampaignKey[],
): number[] {
  const limits = items.map(item => item.limit)
  const users = Map.groupBy(
    items.flatMap(({ buckets }, index) => buckets.map(({ name }) => ({ name, index }))),
    ({ name }) => name,
  )
  for (const [name, uses] of users) {
    const demands = uses.map(({ index }) => ({
      clientId: owners[index]?.clientId ?? 0,
      campaignId: owners[index]?.campaignId ?? 0,
      room: limits[index] ?? 0,
    }))
    const slots = divideSlots(available.get(name) ?? 0, demands)
    for (const [place, { index }] of uses.entries()) limits[index] = slots[place] ?? 0
  }
  return limits
}

/** Counts what was claimed against the buckets it counts for. */
export function countSpent(
  grants: readonly Grant[],
  rows: readonly (CampaignKey & { providerId: number })[],
): Map<string, number> {
  const spent = new Map<string, number>()
  const add = ({ name }: Bucket, count: number) => spent.set(name, (spent.get(name) ?? 0) + count)
  for (const grant of grants) {
    const own = rows.filter(row => row.campaignId === grant.campaignId && row.clientId === grant.clientId)
    for (const bucket of grant.buckets) add(bucket, own.length)
    for (const { providerId, buckets } of grant.parts) {
      const count = own.filter(row => row.providerId === providerId).length
      for (const bucket of buckets) add(bucket, count)
    }
  }
  return spent
}
