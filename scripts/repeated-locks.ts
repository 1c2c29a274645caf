import { loadModule, parseSync } from 'libpg-query'

/**
 * Finds an UPDATE or DELETE that reads from a subquery with FOR UPDATE and LIMIT. PostgreSQL may run it again for each row
 * of the other table, and then it skips what has been changed and returns the next rows, beyond its limit. In WITH it runs
 * once.
 *
 * @returns false as well if PostgreSQL's parser rejects the text
 */
export async function mayLockRepeatedly(text: string): Promise<boolean> {
  // Most statements lock nothing.
  if (!/\bfor\s+(?:no\s+key\s+)?update\b/i.test(text)) return false
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
      ((key === 'UpdateStmt' || key === 'DeleteStmt') && locksSome([value.fromClause, value.usingClause])) ||
      isFault(value),
  )
}

function locksSome(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return ('lockingClause' in node && 'limitCount' in node) || Object.values(node).some(locksSome)
}
