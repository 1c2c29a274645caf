import { type CampaignKey, keyOf } from '../campaign-key.ts'

/**
 * Who comes first where mails cannot be divided evenly: tenants that had the fewest the last time, and within each its
 * campaigns. So what is left over goes round, however much of it there is at a time and of how many limits.
 */
export interface Line {
  /** Everybody who waits, in order; who is new comes last. */
  arrange<T extends CampaignKey>(waiting: readonly T[]): T[]
  /** Takes down who had how many mails. */
  serve(served: readonly (CampaignKey & { mails: number })[]): void
}

export function createLine(): Line {
  let tenants: number[] = []
  let campaigns: string[] = []
  return {
    arrange(waiting) {
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
    serve(served) {
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

/** The same line without those who left, and with those who came. */
function follow<K>(line: readonly K[], present: readonly K[]): K[] {
  const all = new Set(present)
  return [...new Set([...line.filter(key => all.has(key)), ...present])]
}

function placesIn<K>(line: readonly K[]): (key: K) => number {
  const places = new Map(line.map((key, place) => [key, place]))
  return key => places.get(key) ?? line.length
}

function fewestFirst<K>(line: readonly K[], served: readonly (readonly [K, number])[]): K[] {
  const mails = new Map<K, number>()
  for (const [key, count] of served) mails.set(key, (mails.get(key) ?? 0) + count)
  return line.toSorted((a, b) => (mails.get(a) ?? 0) - (mails.get(b) ?? 0))
}
