import { type Fault, fault } from '@emma/contract/faults.ts'
import { parseAddress } from '@emma/mail/address.ts'
import { splitRows } from './split-rows.ts'
import { UploadError, uploadError } from './upload-error.ts'

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** Number of first rows that delimiter, titles and header are detected from. */
const FIRST_ROWS = 60

/**
 * Detects the delimiter from the start of a file: the one in Excel's first line `sep=;`, else the one with the best fit
 * of rows of equal width (above one) and rows with an email address, then with the most cells.
 *
 * @throws UploadError for a requested delimiter that gives a single column where another one gives several
 */
export function chooseDelimiter(text: string, requested: Delimiter | null): Delimiter {
  const named = separatorLine(text.slice(0, 20).split(/[\r\n]/, 1)[0] ?? '')
  const candidates = delimiters.map(delimiter => ({ delimiter, ...fitOf(text, delimiter) }))
  const best = candidates.toSorted((a, b) => b.fit - a.fit || b.columns - a.columns)[0]
  const detected = named ?? (best && best.columns > 1 ? best.delimiter : ',')
  if (requested === null) return detected
  const columns = candidates.find(candidate => candidate.delimiter === requested)?.columns
  if (columns === 1 && best && best.columns > 1)
    throw uploadError('upload.other_delimiter', {
      requested: describeDelimiter(requested),
      delimiter: describeDelimiter(best.delimiter),
    })
  return requested
}

/** Delimiter in a line such as `sep=;`, which Excel writes and hides; null for any other line. */
export function separatorLine(line: string): Delimiter | null {
  const sign = /^"?sep=(.)"?$/i.exec(line)?.[1]
  return delimiters.find(delimiter => delimiter === sign) ?? null
}

/** First rows of a text, including blank ones but not empty lines. */
export function firstRows(text: string, delimiter: string, limit = FIRST_ROWS): string[][] {
  const rows: string[][] = []
  const enough = new Error('enough')
  const splitter = splitRows(delimiter, cells => {
    rows.push(cells)
    if (rows.length >= limit) throw enough
  })
  try {
    splitter.push(text)
    splitter.end()
  } catch (error) {
    if (error !== enough) throw error
  }
  return rows
}

/** Most frequent number of cells; the larger one in a tie. */
export function usualWidth(rows: readonly (readonly string[])[]): number {
  const times = new Map<number, number>()
  for (const { length } of rows) times.set(length, (times.get(length) ?? 0) + 1)
  return [...times].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

const delimiterCodes = {
  ',': 'upload.comma',
  ';': 'upload.semicolon',
  '\t': 'upload.tab',
  '|': 'upload.bar',
} as const

export function describeDelimiter(delimiter: Delimiter): Fault {
  return fault(delimiterCodes[delimiter])
}

/** `fit`: share of rows with the usual width plus share of rows with an address; 0 for a single column. */
function fitOf(text: string, delimiter: Delimiter): { columns: number; fit: number } {
  const rows = readableRows(text, delimiter)
  const columns = usualWidth(rows)
  if (columns < 2) return { columns, fit: 0 }
  const even = rows.filter(row => row.length === columns).length
  const addressed = rows.filter(row => row.some(isAddress)).length
  return { columns, fit: (even + addressed) / rows.length }
}

function readableRows(text: string, delimiter: Delimiter): string[][] {
  try {
    return firstRows(text, delimiter)
  } catch (error) {
    if (error instanceof UploadError) return []
    throw error
  }
}

function isAddress(cell: string): boolean {
  return cell.includes('@') && parseAddress(cell).ok
}
