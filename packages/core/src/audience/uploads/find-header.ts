import { columnSynonyms } from '@emma/contract/column-synonyms.ts'
import { separatorLine, usualWidth } from './choose-delimiter.ts'
import { simplify } from './guess-mapping.ts'

export interface HeaderPlace {
  /** Number of rows before the table: `sep=;`, blank rows, titles, comments. */
  preamble: number
  /** False when the first row of the table is data. */
  hasHeader: boolean
}

/**
 * Finds the start of the table in the first rows of a file. Skips Excel's `sep=;`, blank rows, comments (`#`) and
 * titles: rows with one filled cell above a table of several columns, or any row above one that names the email column.
 *
 * @param isKey whether a cell is a value of the key (address, domain, digest), so that its row is data
 */
export function findHeader(rows: readonly string[][], isKey: (cell: string) => boolean): HeaderPlace {
  const width = usualWidth(rows)
  const isData = (row: readonly string[]) => row.some(isKey)
  const isTitle = (row: readonly string[], at: number) => {
    if (isSeparatorLine(row, at) || filledCells(row) === 0) return true
    if (isData(row)) return false
    return isComment(row, rows[at + 1], width) || (width > 1 && filledCells(row) < 2)
  }
  const found = rows.findIndex((row, at) => !isTitle(row, at))
  const start = found < 0 ? rows.length : found
  const first = rows[start]
  if (!first || isData(first)) return { preamble: start, hasHeader: false }
  return { preamble: namedRow(rows, start, width, isData) ?? start, hasHeader: true }
}

function isSeparatorLine(row: readonly string[], at: number): boolean {
  return (
    at === 0 && (/^sep=$/i.test(row[0] ?? '') || (row.length === 1 && separatorLine(row[0] ?? '') !== null))
  )
}

function filledCells(row: readonly string[]): number {
  return row.filter(cell => cell.trim() !== '').length
}

/** `# exported by …`, but not a header that starts with `#`, such as `#;email`. */
function isComment(row: readonly string[], next: readonly string[] | undefined, width: number): boolean {
  if (!/^\s*#./.test(row[0] ?? '')) return false
  return row.length !== width || width === 1 || (next !== undefined && namesEmail(next) && !namesEmail(row))
}

/** Header below titles of several cells: the first row that names the email column, directly above data. */
function namedRow(
  rows: readonly string[][],
  start: number,
  width: number,
  isData: (row: readonly string[]) => boolean,
): number | null {
  for (let at = start; at < rows.length; at++) {
    const row = rows[at] ?? []
    if (isData(row)) return null
    const next = rows[at + 1]
    if (row.length === width && namesEmail(row) && next && isData(next)) return at
  }
  return null
}

function namesEmail(row: readonly string[]): boolean {
  return row.some(cell => columnSynonyms['email']?.includes(simplify(cell)) ?? false)
}
