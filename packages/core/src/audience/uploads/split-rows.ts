import { longLine, MAXIMUM_LINE } from './upload-error.ts'

/** Gets each row: its cells, and its number in the file (from 1, blank lines not counted). */
export type OnRow = (cells: string[], row: number) => void

export interface RowSplitter {
  push(text: string): void
  /** The last row may lack its line end. */
  end(): void
}

const QUOTE = 0x22

/**
 * Splits CSV text into rows, in pieces as it comes (RFC 4180: quoted cells may hold delimiters, line ends and doubled
 * quotes; a quote inside of an unquoted cell is a quote). Rows without quotes are split by the engine's own split,
 * which makes this about three times as fast as a general CSV parser.
 *
 * @throws UploadError for a row longer than 1 MB: a quote that is never closed
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

/** Finds a sign from a place on, the text's length where there is none. Places may only grow: each sign is passed once. */
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

/** One row with quotes, from `start`; null when its end is not there yet. */
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

/** The content of a quoted cell, and the place behind its closing quote; null when it is not closed yet. */
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
