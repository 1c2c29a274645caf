import type { Fault } from '@emma/contract/faults.ts'
import { FeedFault, type FetchFeed, isPassing } from '@emma/core/content/feeds.ts'
import type { JsonValue } from '@emma/mail/template/json-value.ts'
import { personalAddress } from '@emma/mail/template/personal-address.ts'
import type { SealedSource } from '../model/personal-source.ts'

/** Data of one recipient by placeholder, or why there is none. */
export type PersonalResult =
  | { data: Record<string, JsonValue> }
  | { isStopped: true }
  | { fault: Fault | null; isPassing: boolean; source: SealedSource }

interface Limits {
  /** Concurrent requests of this engine, and of one client. */
  total: number
  perClient: number
  /** Answers that are used again, and for how many milliseconds. */
  answers: number
  answerMs: number
}

const LIMITS: Limits = { total: 40, perClient: 8, answers: 500, answerMs: 60_000 }

/**
 * Fetches the data of single recipients before their mails are rendered. A client whose server is slow has few requests
 * at a time, so that others go on; the same address is requested once a minute.
 */
export class PersonalData {
  readonly #fetchFeed: FetchFeed | undefined
  readonly #limits: Limits
  readonly #answers = new Map<string, { answer: Promise<JsonValue>; until: number }>()
  readonly #open = new Map<number, number>()
  #waiting: { clientId: number; begin: () => void }[] = []
  #total = 0

  constructor(fetchFeed: FetchFeed | undefined, limits = LIMITS) {
    this.#fetchFeed = fetchFeed
    this.#limits = limits
  }

  /** @param maySend asked when it is the recipient's turn: what waits ends with the campaign or the engine */
  async of(
    clientId: number,
    sources: readonly SealedSource[],
    member: Record<string, unknown>,
    maySend: () => boolean,
  ): Promise<PersonalResult> {
    const data: Record<string, JsonValue> = {}
    for (const source of sources) {
      const url = personalAddress(source.url, member)
      if (url === null) return { fault: null, isPassing: false, source }
      try {
        const answer = await this.#answer(clientId, { ...source, url }, maySend)
        if (answer === undefined) return { isStopped: true }
        data[source.name] = answer
      } catch (error) {
        if (!(error instanceof FeedFault)) throw error
        return { fault: error.fault, isPassing: isPassing(error.fault), source }
      }
    }
    return { data }
  }

  /** Undefined if nothing may be sent any more. */
  async #answer(
    clientId: number,
    source: SealedSource,
    maySend: () => boolean,
  ): Promise<JsonValue | undefined> {
    const key = `${clientId} ${source.moduleId} ${source.url}`
    const known = this.#answers.get(key)
    if (known && known.until > performance.now()) return known.answer
    await this.#enter(clientId)
    try {
      if (!maySend()) return undefined
      const again = this.#answers.get(key)
      if (again && again.until > performance.now()) return await again.answer
      const answer = this.#fetch(source)
      this.#keep(key, answer)
      return await answer
    } finally {
      this.#leave(clientId)
    }
  }

  async #fetch({ url, header, secret }: SealedSource): Promise<JsonValue> {
    if (!this.#fetchFeed) return null
    const content = await this.#fetchFeed({ type: 'data', url, header, secret })
    return 'data' in content ? content.data : null
  }

  #keep(key: string, answer: Promise<JsonValue>): void {
    this.#answers.delete(key)
    this.#answers.set(key, { answer, until: performance.now() + this.#limits.answerMs })
    answer.catch(() => this.#answers.delete(key))
    if (this.#answers.size > this.#limits.answers)
      this.#answers.delete(this.#answers.keys().next().value ?? '')
  }

  async #enter(clientId: number): Promise<void> {
    if (this.#take(clientId)) return
    await new Promise<void>(resolve => this.#waiting.push({ clientId, begin: resolve }))
  }

  #take(clientId: number): boolean {
    const open = this.#open.get(clientId) ?? 0
    if (this.#total >= this.#limits.total || open >= this.#limits.perClient) return false
    this.#total++
    this.#open.set(clientId, open + 1)
    return true
  }

  /** The place goes to the first that waits and whose client has room. */
  #leave(clientId: number): void {
    this.#total--
    const open = (this.#open.get(clientId) ?? 1) - 1
    if (open === 0) this.#open.delete(clientId)
    else this.#open.set(clientId, open)
    const next = this.#waiting.findIndex(waiting => this.#take(waiting.clientId))
    if (next === -1) return
    const [waiting] = this.#waiting.splice(next, 1)
    waiting?.begin()
  }
}
