/** Returns the entries with one moved to another index; an index out of range changes nothing. */
export function moved<T>(entries: readonly T[], from: number, to: number): T[] {
  const entry = entries[from]
  if (entry === undefined || to < 0 || to >= entries.length) return [...entries]
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry)
}
