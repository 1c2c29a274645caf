/** Pools that share a connection limit. */
export interface SharedLimit {
  name: string
  /** Connections for all of them together. */
  connections: number
  pools: readonly string[]
}

/** State of a pool's connections in this engine. */
export interface PoolUse {
  /** True if it has connections, or opens them on demand. */
  isOpen(pool: string): boolean
  /** True if it has none, except for messages that finish on earlier ones. */
  isClosing(pool: string): boolean
  /** True if it had messages since the last call. */
  isBusy(pool: string): boolean
}

/** Assigns connections if there are fewer than pools. */
export interface ConnectionTimeSlices {
  /**
   * Assigns time slices of some seconds. A slice ends early without messages, and late while messages are in flight:
   * nobody else gets the connection before. The pool that waited longest is next.
   * @returns names of the limits with time slices, and the pools that have one connection each now
   */
  take(sharers: readonly SharedLimit[]): { oversubscribed: ReadonlySet<string>; pools: ReadonlySet<string> }
}

/** Opening a connection costs a few hundred milliseconds. */
const LONGEST_SLICE_MS = 5_000
/** Claims take time in a busy database. */
const LONGEST_IDLE_MS = 2_000

interface TimeSlice {
  /** When it got a connection, and when this slice began. */
  heldSince: number
  since: number
  busyAt: number
}

const NEVER: PoolUse = { isOpen: () => false, isClosing: () => false, isBusy: () => false }

/** @param now clock in milliseconds */
export function createTimeSlices(
  use = NEVER,
  now: () => number = () => performance.now(),
): ConnectionTimeSlices {
  let held = new Map<string, TimeSlice>()
  let waitsSince = new Map<string, number>()
  /** Names of the limits that each requested pool shares. */
  let shares = new Map<string, readonly string[]>()

  return {
    take(sharers) {
      const at = now()
      const before = shares
      shares = new Map(
        [...Map.groupBy(sharers.flatMap(pairs), ({ pool }) => pool)].map(([pool, own]) => [
          pool,
          own.map(({ name }) => name),
        ]),
      )
      // Pools that are no longer requested count while messages are in flight.
      const leaving = [...before].filter(([pool]) => !shares.has(pool) && isInUse(pool))
      const oversubscribed = new Map(
        sharers.flatMap(({ name, connections, pools }) => {
          const left = leaving.filter(([, own]) => own.includes(name)).length
          return connections < pools.length + left ? [[name, connections]] : []
        }),
      )
      const wanting = [...shares.keys()].filter(pool => scarceOf(pool).length > 0)
      for (const [pool, own] of leaving) shares.set(pool, own)
      followTurns(wanting, at)
      const pools = withoutOverlap(
        choose(inOrder(wanting, at), new Map(oversubscribed)),
        new Map(oversubscribed),
      )
      waitsSince = new Map(wanting.flatMap(pool => (pools.has(pool) ? [] : [[pool, waitingSince(pool, at)]])))
      held = new Map([...pools].map(pool => [pool, sliceOf(pool, at)]))
      return { oversubscribed: new Set(oversubscribed.keys()), pools }

      function scarceOf(pool: string): string[] {
        return (shares.get(pool) ?? []).filter(name => oversubscribed.has(name))
      }

      /** Assigns, in order, to each pool whose limits all have a connection left. */
      function choose(order: readonly string[], left: Map<string, number>): Set<string> {
        return new Set(
          order.filter(pool => {
            const own = scarceOf(pool)
            const hasTurn = own.every(name => (left.get(name) ?? 0) > 0)
            if (hasTurn) for (const name of own) left.set(name, (left.get(name) ?? 0) - 1)
            return hasTurn
          }),
        )
      }

      /** Pools whose time slice begins get only connections that no other pool still holds. */
      function withoutOverlap(chosen: ReadonlySet<string>, left: Map<string, number>): Set<string> {
        const goOn = [...chosen].filter(pool => held.has(pool))
        const others = [...shares.keys()].filter(pool => !goOn.includes(pool) && isInUse(pool))
        for (const pool of [...goOn, ...others])
          for (const name of scarceOf(pool)) left.set(name, (left.get(name) ?? 0) - 1)
        const begin = [...chosen].filter(pool => !held.has(pool))
        return new Set([...goOn, ...choose(begin, left)])
      }
    },
  }

  function isInUse(pool: string): boolean {
    return use.isOpen(pool) || use.isClosing(pool)
  }

  /** Pools that had connections while there were enough come first. */
  function followTurns(wanting: readonly string[], at: number): void {
    for (const pool of wanting) {
      if (!use.isOpen(pool) && use.isClosing(pool)) held.delete(pool)
      else if (use.isOpen(pool) && !held.has(pool)) held.set(pool, { heldSince: at, since: at, busyAt: at })
      const slice = held.get(pool)
      if (slice && use.isBusy(pool)) slice.busyAt = at
    }
  }

  /** Not while its own last messages are in flight. */
  function waitingSince(pool: string, at: number): number {
    return use.isClosing(pool) ? at : (waitsSince.get(pool) ?? at)
  }

  /**
   * Order: pools in their slice, then waiting pools, then pools whose slice has ended, shortest use first. A pool
   * that waited longer than all slices take needs several connections that were never free at once, and goes first.
   */
  function inOrder(wanting: readonly string[], at: number): string[] {
    const waitedFor = (pool: string) => at - waitingSince(pool, at)
    const heldFor = (pool: string) => at - (held.get(pool)?.heldSince ?? at)
    const having = wanting.filter(pool => held.has(pool))
    const waiting = wanting.filter(pool => !held.has(pool)).toSorted((a, b) => waitedFor(b) - waitedFor(a))
    const tooLong = 2 * LONGEST_SLICE_MS * wanting.length
    return [
      ...waiting.filter(pool => waitedFor(pool) >= tooLong),
      ...having.filter(pool => !isOver(pool, at)),
      ...waiting.filter(pool => waitedFor(pool) < tooLong),
      ...having.filter(pool => isOver(pool, at)).toSorted((a, b) => heldFor(a) - heldFor(b)),
    ]
  }

  function isOver(pool: string, at: number): boolean {
    const slice = held.get(pool)
    return !slice || at - slice.since >= LONGEST_SLICE_MS || at - slice.busyAt >= LONGEST_IDLE_MS
  }

  function sliceOf(pool: string, at: number): TimeSlice {
    const slice = held.get(pool) ?? { heldSince: at, since: at, busyAt: at }
    return isOver(pool, at) ? { ...slice, since: at } : slice
  }
}

function pairs({ name, pools }: SharedLimit): { pool: string; name: string }[] {
  return pools.map(pool => ({ pool, name }))
}
