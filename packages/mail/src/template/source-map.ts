/** A text that was made from another one, with the way back from its offsets. */
export interface MappedText {
  text: string
  /** Ascending by `at`. */
  marks: readonly Mark[]
}

/** From offset `at` on, the text comes from offset `from`: letter by letter (`exact`) or as a whole. */
export interface Mark {
  at: number
  from: number
  exact: boolean
}

/** Builds a text piece by piece. */
export interface TextBuilder {
  /** Copies a piece of the source unchanged. */
  copy: (source: string, start: number, end: number) => void
  /** Adds what stands for the piece of the source that begins at `from`. */
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

/** The offset in the original text from which the character at `offset` comes. */
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
