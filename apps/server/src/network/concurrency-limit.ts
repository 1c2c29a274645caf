/** Limits concurrency in total and per key. */
export class PlaceLimit {
  readonly #limits: { total: number; perKey: number }
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(limits: { total: number; perKey: number }) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#all
  }

  /** Returns a function that releases the place, once; null if none is free. */
  take(key: string): (() => void) | null {
    const taken = this.#taken.get(key) ?? 0
    if (this.#all >= this.#limits.total || taken >= this.#limits.perKey) return null
    this.#all++
    this.#taken.set(key, taken + 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#release(key)
      isTaken = false
    }
  }

  #release(key: string): void {
    this.#all--
    const left = (this.#taken.get(key) ?? 1) - 1
    if (left === 0) this.#taken.delete(key)
    else this.#taken.set(key, left)
  }
}
