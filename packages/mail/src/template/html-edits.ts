/** One change of a text; `start` and `end` are offsets in the unchanged text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/**
 * Applies changes to a text; every byte outside of them stays as it is. Insertions at the same place keep the order
 * in which they were given.
 * @throws RangeError when two changes overlap: that is a defect of the caller
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new RangeError(`Two changes overlap at ${edit.start}`)
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
