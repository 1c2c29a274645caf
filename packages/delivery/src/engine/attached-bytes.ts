/** Bytes of encoded attachments that an engine keeps. */
const MOST_BYTES = 64_000_000

/** Counts the bytes of the attachments that are kept, by campaign, and decides which ones have no room. */
export class AttachedBytes {
  /** The last used campaign at the end. */
  readonly #bytes = new Map<string, number>()
  readonly #most: number

  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** Returns the campaigns that have no room beside this one: those that were not used for longest. */
  add(key: string, bytes: number): string[] {
    if (bytes === 0) return []
    this.#bytes.delete(key)
    this.#bytes.set(key, bytes)
    let all = 0
    for (const each of this.#bytes.values()) all += each
    const dropped: string[] = []
    for (const [oldest, size] of this.#bytes) {
      // A single larger campaign stays: it would be read again for each mail.
      if (all <= this.#most || oldest === key) break
      dropped.push(oldest)
      this.#bytes.delete(oldest)
      all -= size
    }
    return dropped
  }

  use(key: string): void {
    const bytes = this.#bytes.get(key)
    if (bytes === undefined) return
    this.#bytes.delete(key)
    this.#bytes.set(key, bytes)
  }

  remove(key: string): void {
    this.#bytes.delete(key)
  }
}
