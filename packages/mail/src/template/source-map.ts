/** A generated text with a mapping of its offsets to the source. */
export interface MappedText {
  text: string
  /** Ascending by `at`. */
  marks: readonly Mark[]
}

/** From offset `at` on, the text comes from source offset `from`: character by character (`exact`) or as a whole. */
export interface Mark {
  at: number
  from: number
  exact: boolean
}

/** Builds a text piece by piece. */
export interface TextBuilder {
  /** Copies a range of the source unchanged. */
  copy: (source: string, start: number, end: number) => void
  /** Adds text that replaces the range of the source beginning at `from`. */
  put: (text: string, from: number) => void
  done: () => MappedText
}

export function buildText(): TextBuilder {
  let text = ''
  const marks: Mark[] = []
  return {
    copy(source, start, end) {
      marks.push({ at: text.length, from: start, exact: true })
      text += source.slice(start, end)
    },
    put(piece, from) {
      marks.push({ at: text.length, from, exact: false })
      text += piece
    },
    done: () => ({ text, marks }),
  }
}

/** Maps an offset of the text to its offset in the source. */
export function originOf(marks: readonly Mark[], offset: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]!.at <= offset) low = middle + 1
    else high = middle
  }
  const mark = marks[low - 1]
  if (!mark) return 0
  return mark.exact ? mark.from + (offset - mark.at) : mark.from
}

/** Marks of a text that was made of a text with marks. */
export function joinMarks(inner: readonly Mark[], { text, marks: outer }: MappedText): Mark[] {
  const joined: Mark[] = []
  let at = 0
  for (const [index, { at: start, from, exact }] of outer.entries()) {
    joined.push({ at: start, from: originOf(inner, from), exact: exact && isExact(inner, from) })
    if (!exact) continue
    const end = from + (outer[index + 1]?.at ?? text.length) - start
    while (at < inner.length && inner[at]!.at <= from) at++
    for (; at < inner.length && inner[at]!.at < end; at++)
      joined.push({ ...inner[at]!, at: start + inner[at]!.at - from })
  }
  return joined
}

function isExact(marks: readonly Mark[], offset: number): boolean {
  return marks.findLast(({ at }) => at <= offset)?.exact ?? true
}
