import type { CampaignKey } from '../model/campaign-key.ts'
import { divideSlots } from './divide-slots.ts'
import type { TokenBucket } from '@emma/core/deliverability/limits/token-bucket.ts'

/** Number of rows of a campaign that may be claimed now. */
export interface ClaimQuota extends CampaignKey {
  limit: number
  /** Limits that apply to all its rows. */
  buckets: readonly TokenBucket[]
  /** Receivers with limits of their own. */
  receivers: readonly ReceiverQuota[]
  /** Receivers whose rows are not claimed. */
  closed: readonly number[]
}

/** Quota for one mailbox provider. */
export interface ReceiverQuota {
  providerId: number
  limit: number
  buckets: readonly TokenBucket[]
}

/** Returns the buckets of all quotas. */
export function bucketsIn(quotas: readonly ClaimQuota[]): TokenBucket[] {
  return quotas.flatMap(({ buckets, receivers: parts }) => [
    ...buckets,
    ...parts.flatMap(part => part.buckets),
  ])
}

/**
 * Reduces quotas to the tokens of their buckets. A shared bucket is divided like slots: evenly over tenants, then
 * over their campaigns.
 * @param available whole messages, by bucket name
 */
export function applyRateLimits<G extends ClaimQuota>(
  quotas: readonly G[],
  available: ReadonlyMap<string, number>,
): G[] {
  const whole = cut(quotas, available, quotas)
  const parts = quotas.flatMap(quota => quota.receivers.map(part => ({ part, quota })))
  const limits = cut(
    parts.map(({ part }) => part),
    available,
    parts.map(({ quota }) => quota),
  )
  let next = 0
  return quotas.map((quota, index) => ({
    ...quota,
    limit: whole[index] ?? 0,
    receivers: quota.receivers.map(part => ({ ...part, limit: limits[next++] ?? 0 })),
  }))
}

function cut(
  items: readonly { limit: number; buckets: readonly TokenBucket[] }[],
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

/** Counts claimed rows per bucket. */
export function countSpent(
  quotas: readonly ClaimQuota[],
  rows: readonly (CampaignKey & { providerId: number })[],
): Map<string, number> {
  const spent = new Map<string, number>()
  const add = ({ name }: TokenBucket, count: number) => spent.set(name, (spent.get(name) ?? 0) + count)
  for (const quota of quotas) {
    const own = rows.filter(row => row.campaignId === quota.campaignId && row.clientId === quota.clientId)
    for (const bucket of quota.buckets) add(bucket, own.length)
    for (const { providerId, buckets } of quota.receivers) {
      const count = own.filter(row => row.providerId === providerId).length
      for (const bucket of buckets) add(bucket, count)
    }
  }
  return spent
}
