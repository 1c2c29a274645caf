/** Lanes that share what there is of connections. */
export interface Sharers {
  name: string
  /** Connections for all of them together. */
  connections: number
  lanes: readonly string[]
}

/** What the engine knows of a lane's connections. */
export interface LaneUse {
  /** It has connections, or makes them when there is mail. */
  isOpen(lane: string): boolean
  /** It has none any more, but for mails that are brought to their end over earlier ones. */
  isClosing(lane: string): boolean
  /** It has had mail since this was asked last. */
  isBusy(lane: string): boolean
}

/** Who has a connection where there are fewer than lanes. */
export interface Turns {
  /**
   * A turn lasts some seconds, and ends early for who has no mail and late for who has one on its way: nobody else gets the
   * connection before. Who has waited longest is next.
   *
   * @returns the names of those sharers that take turns, and the lanes that have one connection each now
   */
  take(sharers: readonly Sharers[]): { scarce: ReadonlySet<string>; lanes: ReadonlySet<string> }
}

/** Milliseconds: a new connection costs a few hundred. */
const LONGEST_TURN = 5_000
/** Claims of a database that is busy take their time. */
const LONGEST_IDLE = 2_000

interface Turn {
  /** Since when it has a connection, and since when that has been this turn. */
  heldSince: number
  since: number
  busyAt: number
}

const NEVER: LaneUse = { isOpen: () => false, isClosing: () => false, isBusy: () => false }

/** @param now a clock in milliseconds */
export function createTurns(use = NEVER, now: () => number = () => performance.now()): Turns {
  let held = new Map<string, Turn>()
  let waitsSince = new Map<string, number>()
  /** What each lane that may have connections shares. */
  let shares = new Map<string, readonly string[]>()

  return {
    take(sharers) {
      const at = now()
      const before = shares
      shares = new Map(
        [...Map.groupBy(sharers.flatMap(pairs), ({ lane }) => lane)].map(([lane, own]) => [
          lane,
          own.map(({ name }) => name),
        ]),
      )
      // Lanes that nobody asks for any more share as long as mails are on their way.
      const leaving = [...before].filter(([lane]) => !shares.has(lane) && isInUse(lane))
      const scarce = new Map(
        sharers.flatMap(({ name, connections, lanes }) => {
          const left = leaving.filter(([, own]) => own.includes(name)).length
          return connections < lanes.length + left ? [[name, connections]] : []
        }),
      )
      const wanting = [...shares.keys()].filter(lane => scarceOf(lane).length > 0)
      for (const [lane, own] of leaving) shares.set(lane, own)
      followTurns(wanting, at)
      const lanes = withoutOverlap(choose(inOrder(wanting, at), new Map(scarce)), new Map(scarce))
      waitsSince = new Map(wanting.flatMap(lane => (lanes.has(lane) ? [] : [[lane, waitingSince(lane, at)]])))
      held = new Map([...lanes].map(lane => [lane, turnOf(lane, at)]))
      return { scarce: new Set(scarce.keys()), lanes }

      function scarceOf(lane: string): string[] {
        return (shares.get(lane) ?? []).filter(name => scarce.has(name))
      }

      /** Takes from what is left for each lane in turn that can have one of everything it shares. */
      function choose(order: readonly string[], left: Map<string, number>): Set<string> {
        return new Set(
          order.filter(lane => {
            const own = scarceOf(lane)
            const hasTurn = own.every(name => (left.get(name) ?? 0) > 0)
            if (hasTurn) for (const name of own) left.set(name, (left.get(name) ?? 0) - 1)
            return hasTurn
          }),
        )
      }

      /** Those whose turn begins get what nobody has any more. */
      function withoutOverlap(chosen: ReadonlySet<string>, left: Map<string, number>): Set<string> {
        const goOn = [...chosen].filter(lane => held.has(lane))
        const others = [...shares.keys()].filter(lane => !goOn.includes(lane) && isInUse(lane))
        for (const lane of [...goOn, ...others])
          for (const name of scarceOf(lane)) left.set(name, (left.get(name) ?? 0) - 1)
        const begin = [...chosen].filter(lane => !held.has(lane))
        return new Set([...goOn, ...choose(begin, left)])
      }
    },
  }

  function isInUse(lane: string): boolean {
    return use.isOpen(lane) || use.isClosing(lane)
  }

  /** Who had connections when there were enough for all has the first turn. */
  function followTurns(wanting: readonly string[], at: number): void {
    for (const lane of wanting) {
      if (!use.isOpen(lane) && use.isClosing(lane)) held.delete(lane)
      else if (use.isOpen(lane) && !held.has(lane)) held.set(lane, { heldSince: at, since: at, busyAt: at })
      const turn = held.get(lane)
      if (turn && use.isBusy(lane)) turn.busyAt = at
    }
  }

  /** Not as long as its own last mails are on their way. */
  function waitingSince(lane: string, at: number): number {
    return use.isClosing(lane) ? at : (waitsSince.get(lane) ?? at)
  }

  /**
   * Those whose turn it is, then those who wait, then those whose turn is over: the shorter they had one the sooner. Who has
   * waited for longer than all turns take needs several connections that were never free at once, and goes first.
   */
  function inOrder(wanting: readonly string[], at: number): string[] {
    const waitedFor = (lane: string) => at - waitingSince(lane, at)
    const heldFor = (lane: string) => at - (held.get(lane)?.heldSince ?? at)
    const having = wanting.filter(lane => held.has(lane))
    const waiting = wanting.filter(lane => !held.has(lane)).toSorted((a, b) => waitedFor(b) - waitedFor(a))
    const tooLong = 2 * LONGEST_TURN * wanting.length
    return [
      ...waiting.filter(lane => waitedFor(lane) >= tooLong),
      ...having.filter(lane => !isOver(lane, at)),
      ...waiting.filter(lane => waitedFor(lane) < tooLong),
      ...having.filter(lane => isOver(lane, at)).toSorted((a, b) => heldFor(a) - heldFor(b)),
    ]
  }

  function isOver(lane: string, at: number): boolean {
    const turn = held.get(lane)
    return !turn || at - turn.since >= LONGEST_TURN || at - turn.busyAt >= LONGEST_IDLE
  }

  function turnOf(lane: string, at: number): Turn {
    const turn = held.get(lane) ?? { heldSince: at, since: at, busyAt: at }
    return isOver(lane, at) ? { ...turn, since: at } : turn
  }
}

function pairs({ name, lanes }: Sharers): { lane: string; name: string }[] {
  return lanes.map(lane => ({ lane, name }))
}
