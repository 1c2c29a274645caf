export type Side = 'mine' | 'theirs'

/** A field on which the person's version and the saved one differ. */
export interface Difference {
  field: string
  mine: unknown
  theirs: unknown
  /** Decided already when only one side changed it; open when both did. */
  choice: Side | null
}

type Version = Readonly<Record<string, unknown>>

/**
 * Compares two versions of a record with the one both began from. What only one side changed is merged; what both
 * changed, differently, is left for the person to decide.
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

/** Equal in content; an empty text is the same as none, because it travels as null (R169). */
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
