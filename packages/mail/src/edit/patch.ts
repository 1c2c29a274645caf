import { applyEdits } from '../template/html-edits.ts'

/** A change of a text, in the form of CodeMirror's changes; offsets in the text before any change of its list. */
export interface Patch {
  from: number
  to: number
  insert: string
}

/**
 * Applies patches that do not overlap; insertions at the same offset stay in their order.
 * @throws RangeError if two patches overlap
 */
export function applyPatch(source: string, patches: readonly Patch[]): string {
  return applyEdits(
    source,
    patches.map(({ from, to, insert }) => ({ start: from, end: to, text: insert })),
  )
}

/** Returns the patches that turn the result of `applyPatch(source, patches)` back into `source`. */
export function invertPatch(source: string, patches: readonly Patch[]): Patch[] {
  let shift = 0
  return patches
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .map(({ from, to, insert }) => {
      const start = from + shift
      shift += insert.length - (to - from)
      return { from: start, to: start + insert.length, insert: source.slice(from, to) }
    })
}

/**
 * Returns the patch that replaces a range by a text, without what both have in common at their begin and end; none if
 * they are equal.
 */
export function replaceRange(source: string, from: number, to: number, text: string): Patch[] {
  const before = source.slice(from, to)
  if (before === text) return []
  const most = Math.min(before.length, text.length)
  let head = 0
  while (head < most && before[head] === text[head]) head++
  if (isSplit(before, head) || isSplit(text, head)) head--
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === text.at(-1 - tail)) tail++
  if (isSplit(before, before.length - tail) || isSplit(text, text.length - tail)) tail--
  return [{ from: from + head, to: to - tail, insert: text.slice(head, text.length - tail) }]
}

/** True between the halves of a surrogate pair or of a Windows line end. */
function isSplit(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1)) && at > 0
}
