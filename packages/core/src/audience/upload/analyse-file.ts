import { open } from 'node:fs/promises'
import { parseAddress } from '@emma/mail/address.ts'
import { type Charset, decodeText, detectCharset, isMultibyteUtf8, wholeLines } from './charset.ts'
import { splitRows } from './split-rows.ts'
import { MAXIMUM_COLUMNS, MAXIMUM_LINE, UploadError } from './upload-error.ts'

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export interface FileAnalysis {
  charset: Charset
  delimiter: Delimiter
  /** Names of the columns; empty when the first row is data already. */
  header: string[]
  /** The first rows of data. */
  sample: string[][]
}

export interface FileWishes {
  charset?: Charset | null | undefined
  delimiter?: Delimiter | null | undefined
}

const BEGINNING = 2 * MAXIMUM_LINE
const SAMPLE_ROWS = 20

/**
 * Looks at the beginning of a file: charset, delimiter, header, first rows.
 *
 * @throws UploadError for what is no table: empty, a spreadsheet or archive, one endless line, a wish (charset,
 * delimiter) that contradicts the file, too many columns
 */
export async function analyseFile(path: string, wishes: FileWishes = {}): Promise<FileAnalysis> {
  const { bytes, isWhole } = await readBeginning(path)
  refuseOtherFormats(bytes)
  const charset = chooseCharset(bytes, wishes.charset ?? null)
  const text = await decodeBeginning(bytes, charset, isWhole)
  const delimiter = chooseDelimiter(text, wishes.delimiter ?? null)
  const rows = firstRows(text, delimiter)
  const [first] = rows
  if (!first) throw new UploadError('The file is empty.')
  if (first.length > MAXIMUM_COLUMNS)
    throw new UploadError(
      `The file has ${first.length} columns; at most ${MAXIMUM_COLUMNS} are taken. Is the delimiter ${describe(delimiter)} right?`,
    )
  const hasHeader = !first.some(cell => parseAddress(cell).ok)
  if (hasHeader && rows.length === 1) throw new UploadError('The file has a header, but no rows.')
  return {
    charset,
    delimiter,
    header: hasHeader ? first.map(cell => cell.trim().slice(0, 255)) : [],
    sample: rows.slice(hasHeader ? 1 : 0).slice(0, SAMPLE_ROWS),
  }
}

async function readBeginning(path: string): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const file = await openKept(path)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, BEGINNING))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return { bytes: bytes.subarray(0, bytesRead), isWhole: size <= BEGINNING }
  } finally {
    await file.close()
  }
}

async function openKept(path: string): ReturnType<typeof open> {
  return open(path).catch((error: unknown) => {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isGone ? new UploadError('The file is not kept any more. Upload it again.') : error
  })
}

const formats: [signature: string, name: string][] = [
  ['504b0304', 'a ZIP archive or an Excel workbook'],
  ['d0cf11e0', 'an old Excel workbook'],
  ['1f8b', 'a gzip archive inside of a gzip archive'],
  ['25504446', 'a PDF'],
  ['377abcaf', 'a 7z archive'],
]

function refuseOtherFormats(bytes: Buffer): void {
  const start = bytes.subarray(0, 4).toString('hex')
  const format = formats.find(([signature]) => start.startsWith(signature))
  if (format) throw new UploadError(`The file is ${format[1]}. Save the table as CSV and upload that.`)
}

function chooseCharset(bytes: Buffer, wish: Charset | null): Charset {
  const detected = detectCharset(bytes)
  if (wish === null) return detected
  const isSingleByte = wish !== 'utf-8' && !wish.startsWith('utf-16')
  if (isSingleByte && isMultibyteUtf8(wholeLines(bytes)))
    throw new UploadError(
      `The file is UTF-8. Read as ${wish}, its umlauts would become pairs of other letters.`,
    )
  if (detected.startsWith('utf-16') !== wish.startsWith('utf-16'))
    throw new UploadError(`The file is ${detected.toUpperCase()}, not ${wish.toUpperCase()}.`)
  return wish
}

/** What the beginning of a longer file cuts off is left away. */
async function decodeBeginning(bytes: Buffer, charset: Charset, isWhole: boolean): Promise<string> {
  const isUtf16 = charset.startsWith('utf-16')
  const cut = isUtf16 ? bytes.subarray(0, bytes.length - (bytes.length % 2)) : wholeLines(bytes)
  const pieces: string[] = []
  for await (const piece of decodeText(once(isWhole ? bytes : cut), charset)) pieces.push(piece)
  return pieces.join('')
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function firstRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  const enough = new Error('enough')
  const splitter = splitRows(delimiter, cells => {
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push(cells)
    if (rows.length > SAMPLE_ROWS) throw enough
  })
  try {
    splitter.push(text)
    splitter.end()
  } catch (error) {
    if (error !== enough) throw error
  }
  return rows
}

/** The delimiter that gives most rows the same number of columns, more than one. */
function chooseDelimiter(text: string, wish: Delimiter | null): Delimiter {
  const tried = delimiters.map(delimiter => ({ delimiter, ...consistency(text, delimiter) }))
  const best = tried.toSorted((a, b) => b.even - a.even || b.columns - a.columns)[0]
  const detected = best && best.columns > 1 ? best.delimiter : ','
  if (wish === null) return detected
  const wished = tried.find(one => one.delimiter === wish)
  if (wished?.columns === 1 && best && best.columns > 1)
    throw new UploadError(
      `With ${describe(wish)} as delimiter the file has a single column; it is separated by ${describe(best.delimiter)}.`,
    )
  return wish
}

/** `even`: the share of rows with as many cells as the first, 0 for a single column. */
function consistency(text: string, delimiter: Delimiter): { columns: number; even: number } {
  const rows = tryRows(text, delimiter)
  const columns = rows[0]?.length ?? 0
  if (columns < 2) return { columns, even: 0 }
  return { columns, even: rows.filter(row => row.length === columns).length / rows.length }
}

function tryRows(text: string, delimiter: Delimiter): string[][] {
  try {
    return firstRows(text, delimiter)
  } catch (error) {
    if (error instanceof UploadError) return []
    throw error
  }
}

function describe(delimiter: Delimiter): string {
  return { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab', '|': 'a vertical bar' }[delimiter]
}
