import { type CampaignKey, keyOf } from '../model/campaign-key.ts'

/**
 * Order for messages that cannot be divided evenly: tenants that got the fewest last time first, and within each its
 * campaigns. So remainders rotate, whatever their size and number of limits.
 */
export interface RoundRobin {
  /** Orders all waiting campaigns; new ones come last. */
  order<T extends CampaignKey>(waiting: readonly T[]): T[]
  /** Records how many messages each got. */
  record(served: readonly (CampaignKey & { mails: number })[]): void
}

export function createRoundRobin(): RoundRobin {
  let tenants: number[] = []
  let campaigns: string[] = []
  return {
    order(waiting) {
      tenants = follow(
        tenants,
        waiting.map(({ clientId }) => clientId),
      )
      campaigns = follow(campaigns, waiting.map(keyOf))
      const [ofTenant, ofCampaign] = [placesIn(tenants), placesIn(campaigns)]
      return waiting.toSorted(
        (a, b) => ofTenant(a.clientId) - ofTenant(b.clientId) || ofCampaign(keyOf(a)) - ofCampaign(keyOf(b)),
      )
    },
    record(served) {
      tenants = fewestFirst(
        tenants,
        served.map(({ clientId, mails }) => [clientId, mails]),
      )
      campaigns = fewestFirst(
        campaigns,
        served.map(one => [keyOf(one), one.mails]),
      )
    },
  }
}

/** The previous order without those that left, followed by new ones. */
function follow<K>(order: readonly K[], present: readonly K[]): K[] {
  const all = new Set(present)
  return [...new Set([...order.filter(key => all.has(key)), ...present])]
}

function placesIn<K>(order: readonly K[]): (key: K) => number {
  const places = new Map(order.map((key, place) => [key, place]))
  return key => places.get(key) ?? order.length
}

function fewestFirst<K>(order: readonly K[], served: readonly (readonly [K, number])[]): K[] {
  const mails = new Map<K, number>()
  for (const [key, count] of served) mails.set(key, (mails.get(key) ?? 0) + count)
  return order.toSorted((a, b) => (mails.get(a) ?? 0) - (mails.get(b) ?? 0))
}
