/** A function that creates its value at the first call. */
export function once<T extends object>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}
