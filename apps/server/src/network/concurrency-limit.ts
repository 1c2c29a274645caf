/** Places that are taken and given back: so many in all, and so many for each key. */
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

  /** Gives the place back, once; null where none is free. */
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
