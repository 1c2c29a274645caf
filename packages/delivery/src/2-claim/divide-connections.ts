import { createTimeSlices, type SharedLimit } from './connection-time-slices.ts'

/** Position of this engine among those that divide connections. */
export interface EngineRank {
  rank: number
  engines: number
}

/** Returns this engine's share of a limit. All shares add up to the limit, so the last one may be zero. */
export function shareOf(cap: number, { rank, engines }: EngineRank): number {
  const whole = Math.max(1, engines)
  return Math.floor(cap / whole) + (rank < cap % whole ? 1 : 0)
}

/** A user of connections, and the limits that apply to it. */
export interface ConnectionUser {
  name: string
  caps: readonly { name: string; connections: number }[]
  /** Gets a fifth of shared limits, at least one, instead of an equal share. */
  isTransactional: boolean
}

/**
 * Divides limits among their users: transactional mail gets a fifth, the others equal shares. Only a limit of one is
 * given twice, since both need it. If there are fewer connections than users, these take turns.
 * @returns connections per user: the minimum over its limits
 */
export function divideConnections(
  users: readonly ConnectionUser[],
  timeSlices = createTimeSlices(),
): Map<string, number> {
  const least = new Map(users.map(user => [user.name, Number.POSITIVE_INFINITY]))
  const sharers = sharersOf(users)
  const { oversubscribed, pools: inTurn } = timeSlices.take(sharers)
  for (const { name, connections, pools } of sharers)
    for (const [rank, pool] of pools.entries()) {
      const part = shareOf(connections, { rank, engines: pools.length })
      const own = oversubscribed.has(name) ? Number(inTurn.has(pool)) : part
      least.set(pool, Math.min(least.get(pool) ?? 0, own))
    }
  return least
}

function sharersOf(users: readonly ConnectionUser[]): SharedLimit[] {
  const uses = users.flatMap(user => user.caps.map(cap => ({ user, ...cap })))
  return [...Map.groupBy(uses, use => use.name)].flatMap(([name, group]) => {
    const cap = Math.min(...group.map(use => use.connections))
    const poolsOf = (isFirst: boolean) =>
      group.flatMap(({ user }) => (user.isTransactional === isFirst ? [user.name] : []))
    const [first, others] = [poolsOf(true), poolsOf(false)]
    if (first.length === 0) return [{ name, connections: cap, pools: others }]
    if (others.length === 0) return [{ name: `${name}/first`, connections: cap, pools: first }]
    const reserved = Math.min(cap, Math.max(1, cap - 1), Math.max(first.length, Math.round(cap / 5)))
    return [
      { name: `${name}/first`, connections: reserved, pools: first },
      { name, connections: Math.max(Math.min(cap, 1), cap - reserved), pools: others },
    ]
  })
}
