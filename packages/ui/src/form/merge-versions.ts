export type Side = 'mine' | 'theirs'

/** A part of a text merged by lines: agreed lines, or a place that both sides changed in different ways. */
export type TextPart =
  | { lines: readonly string[] }
  | { line: number; mine: readonly string[]; theirs: readonly string[] }

/** Merges a text that both sides changed; null if it cannot. */
export type MergeText = (base: string, mine: string, theirs: string) => TextPart[] | null

/** A field, or a place of a merged text, in which the user's version and the saved one differ. */
export interface Difference {
  field: string
  /** The place: its index in the merged text, and its line in the user's version. */
  place?: { index: number; line: number }
  mine: unknown
  theirs: unknown
  /** The selected side; set if only one side changed the field, null if both did. */
  choice: Side | null
}

type Version = Readonly<Record<string, unknown>>

/** Two versions with their common base: what differs, and the texts that were merged by lines. */
export interface Merge {
  differences: readonly Difference[]
  texts: Readonly<Record<string, readonly TextPart[]>>
}

/**
 * Compares two versions of a record with their common base. Changes of one side are merged; differing changes of both
 * sides are left to the user.
 *
 * @param mergeText by field, for texts whose lines are merged
 */
export function compareVersions(
  base: Version,
  mine: Version,
  theirs: Version,
  mergeText: Readonly<Record<string, MergeText | undefined>> = {},
): Merge {
  const texts: Record<string, readonly TextPart[]> = {}
  const differences = Object.keys(base).flatMap((field): Difference[] => {
    if (isSame(mine[field], theirs[field])) return []
    const choice = decide(field, base, mine, theirs)
    const sides = [base[field], mine[field], theirs[field]]
    const parts = choice === null && areTexts(sides) ? mergeText[field]?.(...sides) : null
    if (!parts) return [{ field, mine: mine[field], theirs: theirs[field], choice }]
    texts[field] = parts
    return parts.flatMap((part, index) =>
      'lines' in part
        ? []
        : [
            {
              field,
              place: { index, line: part.line },
              mine: part.mine.join('\n'),
              theirs: part.theirs.join('\n'),
              choice: null,
            },
          ],
    )
  })
  return { differences, texts }
}

function areTexts(values: unknown[]): values is [string, string, string] {
  return values.every(value => typeof value === 'string')
}

/** The values of both versions together, with the selected side of each difference; otherwise the saved ones. */
export function mergedValues<V extends object>(theirs: V, { differences, texts }: Merge): V {
  const mine = differences.filter(({ choice }) => choice === 'mine')
  const fields = mine.filter(({ place }) => !place).map(difference => [difference.field, difference.mine])
  const merged = Object.entries(texts).map(([field, parts]) => {
    const myPlaces = new Set(mine.filter(one => one.field === field).map(({ place }) => place?.index))
    const lines = parts.flatMap((part, index) => {
      if ('lines' in part) return part.lines
      return myPlaces.has(index) ? part.mine : part.theirs
    })
    return [field, lines.join('\n')]
  })
  return { ...theirs, ...Object.fromEntries([...fields, ...merged]) }
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
