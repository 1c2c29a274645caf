/** Cache of immutable values, created on demand. */
export interface BoundedMap<T> {
  get(name: string, make: () => Promise<T | null>): Promise<T | null>
}

/** Caches the `most` recently used values. Failures and missing values are not cached. */
export function createBoundedMap<T>(most: number): BoundedMap<T> {
  const kept = new Map<string, Promise<T | null>>()
  return {
    get(name, make) {
      const known = kept.get(name)
      // Reinserted at the end: the first entry is the least recently used.
      kept.delete(name)
      const value = known ?? made(name, make)
      kept.set(name, value)
      if (kept.size > most) kept.delete(kept.keys().next().value ?? '')
      return value
    },
  }

  async function made(name: string, make: () => Promise<T | null>): Promise<T | null> {
    try {
      const value = await make()
      if (value === null) kept.delete(name)
      return value
    } catch (error) {
      kept.delete(name)
      throw error
    }
  }
}
