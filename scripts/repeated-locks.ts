import { loadModule, parseSync } from 'libpg-query'

/**
 * Finds an UPDATE or DELETE that reads from a subquery with FOR UPDATE. PostgreSQL may run it again for each row of the
 * other table; with SKIP LOCKED it then returns the next rows each time, beyond its LIMIT. In WITH it runs once.
 *
 * @returns false as well if PostgreSQL's parser rejects the text
 */
export async function mayLockRepeatedly(text: string): Promise<boolean> {
  // Most statements lock nothing.
  if (!/\bskip\s+locked\b/i.test(text)) return false
  await loadModule()
  try {
    return isFault(parseSync(text))
  } catch {
    return false
  }
}

function isFault(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(
    ([key, value]) =>
      ((key === 'UpdateStmt' || key === 'DeleteStmt') && locks([value.fromClause, value.usingClause])) ||
      isFault(value),
  )
}

function locks(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(([key, value]) => key === 'lockingClause' || locks(value))
}
