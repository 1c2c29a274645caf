/** One of several engines that divide what there is of connections. */
export interface EngineRank {
  rank: number
  engines: number
}

/** This engine's part of a cap: the parts of all engines together are the cap, so the last may have none. */
export function shareOf(cap: number, { rank, engines }: EngineRank): number {
  const whole = Math.max(1, engines)
  return Math.floor(cap / whole) + (rank < cap % whole ? 1 : 0)
}

/** What uses connections, and the caps it is under. */
export interface ConnectionUser {
  name: string
  caps: readonly { name: string; connections: number }[]
  /** A fifth of what it shares with others, at least one, instead of an equal part. */
  isTransactional: boolean
}

/**
 * Divides caps among those who share them: transactional mail has a fifth, the others equal parts. Only a cap of one goes
 * out twice, since neither can be without.
 *
 * @returns connections of each user, the least that its caps leave it
 */
export function divideConnections(users: readonly ConnectionUser[]): Map<string, number> {
  const least = new Map(users.map(user => [user.name, Number.POSITIVE_INFINITY]))
  const uses = users.flatMap(user => user.caps.map(cap => ({ user, ...cap })))
  for (const group of Map.groupBy(uses, use => use.name).values()) {
    const cap = Math.min(...group.map(use => use.connections))
    const first = group.filter(use => use.user.isTransactional)
    const others = group.filter(use => !use.user.isTransactional)
    const reserved = others.length === 0 ? cap : Math.min(cap, Math.max(first.length, Math.round(cap / 5)))
    const rest = first.length === 0 ? cap : Math.max(Math.min(cap, 1), cap - reserved)
    for (const [members, amount] of [
      [first, reserved],
      [others, rest],
    ] as const)
      for (const [index, { user }] of members.entries()) {
        const part = shareOf(amount, { rank: index, engines: members.length })
        least.set(user.name, Math.min(least.get(user.name) ?? 0, part))
      }
  }
  return least
}
