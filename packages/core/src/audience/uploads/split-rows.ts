import { longLine, MAXIMUM_LINE } from './upload-error.ts'

/** Receives each row: its cells and its number in the file (from 1, not counting blank lines). */
export type OnRow = (cells: string[], row: number) => void

export interface RowSplitter {
  push(text: string): void
  /** Ends the input; the last row may lack its line end. */
  end(): void
}

const QUOTE = 0x22

/**
 * Splits CSV text into rows, in chunks (RFC 4180: quoted cells may contain delimiters, line ends and doubled quotes; a
 * quote inside an unquoted cell is literal). Rows without quotes use String.split, which makes this about three times
 * as fast as a general CSV parser.
 *
 * @throws UploadError for a row longer than 1 MB: an unclosed quote
 */
export function splitRows(delimiter: string, onRow: OnRow): RowSplitter {
  let rest = ''
  let row = 0

  function emit(cells: string[]): void {
    row++
    onRow(cells, row)
  }

  function split(text: string, isLast: boolean): void {
    let position = 0
    let quote = text.indexOf('"')
    const nextDelimiter = finder(text, delimiter)
    const nextLineEnd = finder(text, '\n')
    while (position < text.length) {
      const end = nextLineEnd(position)
      if (end === text.length && !isLast) break
      if (quote >= 0 && quote < position) quote = text.indexOf('"', position)
      if (quote < 0 || quote >= end) {
        const lineEnd = end > position && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
        if (lineEnd > position) emit(text.slice(position, lineEnd).split(delimiter))
        position = end + 1
        continue
      }
      const quoted = readQuotedRow(text, position, { delimiter, nextDelimiter, nextLineEnd, isLast })
      if (quoted === null) break
      emit(quoted.cells)
      position = quoted.next
    }
    rest = text.slice(position)
    if (rest.length > MAXIMUM_LINE) throw longLine(row + 1)
  }

  return {
    push(text) {
      split(rest === '' ? text : rest + text, false)
    },
    end() {
      split(rest, true)
      rest = ''
    },
  }
}

/**
 * Finds the next occurrence of a string from a position; the text's length when there is none. Positions must not
 * decrease, so the text is scanned once.
 */
type Finder = (from: number) => number

function finder(text: string, sign: string): Finder {
  let at = -1
  return from => {
    if (at >= from) return at
    const found = text.indexOf(sign, from)
    at = found < 0 ? text.length : found
    return at
  }
}

interface RowSigns {
  delimiter: string
  nextDelimiter: Finder
  nextLineEnd: Finder
  isLast: boolean
}

/** Reads one row with quotes from `start`; null when it is incomplete. */
function readQuotedRow(
  text: string,
  start: number,
  { delimiter, nextDelimiter, nextLineEnd, isLast }: RowSigns,
): { cells: string[]; next: number } | null {
  const cells: string[] = []
  let position = start
  for (;;) {
    let cell = ''
    if (text.charCodeAt(position) === QUOTE) {
      const closed = readQuotedCell(text, position + 1)
      if (closed === null && !isLast) return null
      cell = closed?.cell ?? text.slice(position + 1)
      position = closed?.next ?? text.length
    }
    const end = nextLineEnd(position)
    if (end === text.length && !isLast) return null
    const delimiterAt = nextDelimiter(position)
    const isCellEnd = delimiterAt < end
    const cellEnd = isCellEnd ? delimiterAt : withoutReturn(text, position, end)
    cells.push(cellEnd > position ? cell + text.slice(position, cellEnd) : cell)
    if (!isCellEnd) return { cells, next: end + 1 }
    position = delimiterAt + delimiter.length
  }
}

function withoutReturn(text: string, start: number, end: number): number {
  return end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
}

/** Content of a quoted cell and the position after its closing quote; null when it is not closed yet. */
function readQuotedCell(text: string, start: number): { cell: string; next: number } | null {
  let cell = ''
  let from = start
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return null
    if (text.charCodeAt(quote + 1) !== QUOTE) return { cell: cell + text.slice(from, quote), next: quote + 1 }
    cell += text.slice(from, quote + 1)
    from = quote + 2
  }
}
