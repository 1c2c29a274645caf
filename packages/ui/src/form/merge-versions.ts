export type Side = 'mine' | 'theirs'

/** A field in which the user's version and the saved one differ. */
export interface Difference {
  field: string
  mine: unknown
  theirs: unknown
  /** The selected side; set if only one side changed the field, null if both did. */
  choice: Side | null
}

type Version = Readonly<Record<string, unknown>>

/**
 * Compares two versions of a record with their common base. Changes of one side are merged; differing changes of both
 * sides are left to the user.
 */
export function compareVersions(base: Version, mine: Version, theirs: Version): Difference[] {
  return Object.keys(base).flatMap(field => {
    if (isSame(mine[field], theirs[field])) return []
    return [{ field, mine: mine[field], theirs: theirs[field], choice: decide(field, base, mine, theirs) }]
  })
}

function decide(field: string, base: Version, mine: Version, theirs: Version): Side | null {
  if (isSame(mine[field], base[field])) return 'theirs'
  if (isSame(theirs[field], base[field])) return 'mine'
  return null
}

/** The fields of `values` that differ from `base`. */
export function changedFields<V extends object>(base: V, values: V): Partial<V> {
  const changed: Partial<V> = {}
  for (const field in values) {
    if (!isSame(base[field], values[field])) changed[field] = values[field]
  }
  return changed
}

/** Deep equality; empty text equals null, since it is sent as null (R169). */
export function isSame(a: unknown, b: unknown): boolean {
  const [left, right] = [a === '' || a === undefined ? null : a, b === '' || b === undefined ? null : b]
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [leftKeys, rightKeys] = [Object.keys(left), Object.keys(right)]
  return (
    leftKeys.length === rightKeys.length &&
    leftKeys.every(
      key => Object.hasOwn(right, key) && isSame(Reflect.get(left, key), Reflect.get(right, key)),
    )
  )
}
