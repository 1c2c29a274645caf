/** Things that never change once they are there, made when they are first asked for. */
export interface Kept<T> {
  get(name: string, make: () => Promise<T | null>): Promise<T | null>
}

/** Keeps the `most` that were asked for last. What could not be made, or is not there (yet), is asked for again. */
export function keepSome<T>(most: number): Kept<T> {
  const kept = new Map<string, Promise<T | null>>()
  return {
    get(name, make) {
      const known = kept.get(name)
      // Put back at the end: the first of the map is the one that was not asked for the longest.
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
