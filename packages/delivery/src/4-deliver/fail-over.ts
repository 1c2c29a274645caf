import type { Outcome } from '../model/outcome.ts'
import type { Transport } from './transport-interface.ts'

interface Way {
  id: number | null
  transport: Transport
}

/** A rejected route is retried after a minute, with a growing delay of up to half an hour. */
const FIRST_REST = 60_000
const LONGEST_REST = 1_800_000

/**
 * Sends over the first route that works. A route whose next hop is unreachable or rejects our login is set aside for
 * a while, and the message, which it has not accepted, takes the next one. `onAside` is called once until the route
 * works again.
 */
export function createFailOver(
  ways: readonly Way[],
  onAside: (id: number | null, reason: string) => void = () => {},
  now: () => number = () => performance.now(),
): Transport {
  const states = ways.map(way => ({ ...way, asideUntil: 0, failures: 0 }))

  return {
    name: ways[0]?.transport.name ?? 'none',
    capacity: Math.min(...ways.map(({ transport }) => transport.capacity)),
    async send(envelope, bytes, of) {
      let last: Outcome & { kind: 'returned' } = {
        kind: 'returned',
        text: 'All logins of the mail class are set aside for a while.',
      }
      for (const state of states) {
        const begun = now()
        if (begun < state.asideUntil) continue
        const outcome = await state.transport.send(envelope, bytes, of)
        if (outcome.kind !== 'returned') {
          if (begun >= state.asideUntil) state.failures = 0
          return outcome
        }
        last = outcome
        if (outcome.retryAfter !== undefined) restFor(state, outcome.retryAfter)
        else if (now() >= state.asideUntil) setAside(state, outcome.text)
      }
      // No route is available until then.
      const soonest = Math.min(...states.map(state => state.asideUntil)) - now()
      return { ...last, retryAfter: Math.max(0, soonest / 1000) }
    },
    async close() {
      await Promise.all(ways.map(({ transport }) => transport.close()))
    },
  }

  /** It works, but not now: not a failure. */
  function restFor(state: (typeof states)[number], seconds: number): void {
    state.asideUntil = Math.max(state.asideUntil, now() + seconds * 1000)
  }

  /** Many messages may fail at once; that counts as one failure. */
  function setAside(state: (typeof states)[number], reason: string): void {
    state.asideUntil = now() + Math.min(LONGEST_REST, FIRST_REST * 2 ** state.failures)
    state.failures++
    if (state.failures === 1) onAside(state.id, reason)
  }
}
