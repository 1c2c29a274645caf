import type { ConcurrencyLimit, ReceiverLimit, SendingRoute } from '../2-claim/sending-routes.ts'

/** Limits concurrent messages per receiver. */
export interface ReceiverConcurrency {
  /** Applies changed limits, and measures each receiver's rate. */
  follow(routes: readonly SendingRoute[]): void
  /** Returns the number of rows that may be claimed for a receiver now. */
  roomFor(receiver: ReceiverLimit): number
  /** Adds claimed rows of a receiver, or settled ones (negative). */
  hold(receiver: ReceiverLimit, rows: number): void
  /** Resolves when one more message may be in flight. */
  acquire(receiver: ReceiverLimit): Promise<void>
  release(receiver: ReceiverLimit): void
}

/** Rows are claimed for this many seconds ahead, and at least for twice what may be on its way. */
const AHEAD_SECONDS = 0.4

interface State {
  most: number
  held: number
  begun: number
  settled: number
  rate: number
  waiting: (() => void)[]
}

export function createReceiverConcurrency(): ReceiverConcurrency {
  const states = new Map<string, State>()
  let lookedAt = performance.now()

  return {
    follow(routes) {
      const seconds = (performance.now() - lookedAt) / 1000
      lookedAt = performance.now()
      const receiverConcurrency = routes.flatMap(route =>
        route.receivers.flatMap(receiver => receiver.concurrency),
      )
      const wanted = new Map(receiverConcurrency.map(limit => [limit.name, limit]))
      for (const [name, state] of states) {
        state.rate = state.settled / seconds
        state.settled = 0
        const most = wanted.get(name)?.most
        // A limit that was lifted lets all go that it held.
        state.most = most ?? Number.POSITIVE_INFINITY
        if (most === undefined && state.held === 0) states.delete(name)
        admit(state)
      }
      for (const limit of wanted.values()) stateOf(limit)
    },
    roomFor: ({ concurrency: receiverConcurrency }) =>
      Math.min(
        ...receiverConcurrency.map(limit => {
          const { most, rate, held } = stateOf(limit)
          return Math.max(0, Math.floor(most === 0 ? 0 : Math.max(2 * most, rate * AHEAD_SECONDS)) - held)
        }),
        Number.MAX_SAFE_INTEGER,
      ),
    hold({ concurrency: receiverConcurrency }, rows) {
      for (const state of receiverConcurrency.map(stateOf)) {
        state.held += rows
        if (rows < 0) state.settled -= rows
      }
    },
    async acquire({ concurrency: receiverConcurrency }) {
      // In one order for all mails, so that no two wait for each other.
      for (const state of receiverConcurrency.map(stateOf)) {
        if (isOpen(state)) state.begun++
        else await new Promise<void>(resolve => state.waiting.push(resolve))
      }
    },
    release({ concurrency: receiverConcurrency }) {
      for (const state of receiverConcurrency.map(stateOf)) {
        state.begun--
        admit(state)
      }
    },
  }

  function stateOf(limit: ConcurrencyLimit): State {
    const existing = states.get(limit.name)
    if (existing) return existing
    const created = { most: limit.most, held: 0, begun: 0, settled: 0, rate: 0, waiting: [] }
    states.set(limit.name, created)
    return created
  }
}

/** Rows that were claimed before this engine's part became none go on one at a time: nobody else can send them. */
function isOpen({ begun, most }: State): boolean {
  return begun < Math.max(1, most)
}

function admit(state: State): void {
  while (isOpen(state)) {
    const next = state.waiting.shift()
    if (!next) return
    state.begun++
    next()
  }
}
