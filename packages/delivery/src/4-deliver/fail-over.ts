import type { Outcome } from '../model/outcome.ts'
import type { Transport } from './transport-interface.ts'

interface Way {
  id: number | null
  transport: Transport
}

/** A way that was refused is tried again after a minute, and later each time, up to half an hour. */
const FIRST_REST = 60_000
const LONGEST_REST = 1_800_000

/**
 * Sends over the first way that works. A way whose next hop cannot be reached or refuses our login is set aside for a
 * while, and the mail, which it has not seen, goes over the next. `onAside` is told once until the way works again.
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
      // Until then nobody takes it.
      const soonest = Math.min(...states.map(state => state.asideUntil)) - now()
      return { ...last, retryAfter: Math.max(0, soonest / 1000) }
    },
    async close() {
      await Promise.all(ways.map(({ transport }) => transport.close()))
    },
  }

  /** It works, but not now: no failure. */
  function restFor(state: (typeof states)[number], seconds: number): void {
    state.asideUntil = Math.max(state.asideUntil, now() + seconds * 1000)
  }

  /** Many mails may fail at once; that is one failure. */
  function setAside(state: (typeof states)[number], reason: string): void {
    state.asideUntil = now() + Math.min(LONGEST_REST, FIRST_REST * 2 ** state.failures)
    state.failures++
    if (state.failures === 1) onAside(state.id, reason)
  }
}
