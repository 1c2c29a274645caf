/** An edit of a text; `start` and `end` are offsets in the unchanged text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/**
 * Applies edits to a text; every other byte stays unchanged. Insertions at the same offset stay in the given order.
 * @throws RangeError if two edits overlap: a defect of the caller
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new RangeError(`Two edits overlap at ${edit.start}`)
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
