import type { Gate, ReceiverLimit, Way } from './2-claim/ways.ts'

/** Holds mails back from receivers that take only so many at once. */
export interface Gates {
  /** Takes changed limits over, and measures how fast each receiver takes mails. */
  follow(ways: readonly Way[]): void
  /** Rows that may be claimed for a receiver now. */
  roomFor(receiver: ReceiverLimit): number
  /** Rows claimed for a receiver, or settled (negative). */
  hold(receiver: ReceiverLimit, rows: number): void
  /** Resolves when one more may be on its way. */
  enter(receiver: ReceiverLimit): Promise<void>
  leave(receiver: ReceiverLimit): void
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

export function createGates(): Gates {
  const states = new Map<string, State>()
  let lookedAt = performance.now()

  return {
    follow(ways) {
      const seconds = (performance.now() - lookedAt) / 1000
      lookedAt = performance.now()
      const gates = ways.flatMap(way => way.receivers.flatMap(receiver => receiver.gates))
      const wanted = new Map(gates.map(gate => [gate.name, gate]))
      for (const [name, state] of states) {
        state.rate = state.settled / seconds
        state.settled = 0
        const most = wanted.get(name)?.most
        // A limit that was lifted lets all go that it held.
        state.most = most ?? Number.POSITIVE_INFINITY
        if (most === undefined && state.held === 0) states.delete(name)
        admit(state)
      }
      for (const gate of wanted.values()) stateOf(gate)
    },
    roomFor: ({ gates }) =>
      Math.min(
        ...gates.map(gate => {
          const { most, rate, held } = stateOf(gate)
          return Math.max(0, Math.floor(most === 0 ? 0 : Math.max(2 * most, rate * AHEAD_SECONDS)) - held)
        }),
        Number.MAX_SAFE_INTEGER,
      ),
    hold({ gates }, rows) {
      for (const state of gates.map(stateOf)) {
        state.held += rows
        if (rows < 0) state.settled -= rows
      }
    },
    async enter({ gates }) {
      // In one order for all mails, so that no two wait for each other.
      for (const state of gates.map(stateOf)) {
        if (isOpen(state)) state.begun++
        else await new Promise<void>(resolve => state.waiting.push(resolve))
      }
    },
    leave({ gates }) {
      for (const state of gates.map(stateOf)) {
        state.begun--
        admit(state)
      }
    },
  }

  function stateOf(gate: Gate): State {
    const known = states.get(gate.name)
    if (known) return known
    const made = { most: gate.most, held: 0, begun: 0, settled: 0, rate: 0, waiting: [] }
    states.set(gate.name, made)
    return made
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
