/** Wakes what waits for a change. */
export class Signal {
  readonly #sleepers = new Set<() => void>()

  /** Resolves on the next `wake`, at the latest after `mostMs`. */
  wait(mostMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = () => {
      clearTimeout(timer)
      this.#sleepers.delete(end)
      resolve()
    }
    const timer = setTimeout(end, mostMs)
    this.#sleepers.add(end)
    return promise
  }

  wake(): void {
    for (const end of this.#sleepers) end()
  }
}
