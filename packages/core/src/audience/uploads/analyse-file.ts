import { open } from 'node:fs/promises'
import { type Charset, decodeText, detectCharset, isMultibyteUtf8, wholeLines } from './charset.ts'
import { chooseDelimiter, type Delimiter, describeDelimiter, firstRows } from './choose-delimiter.ts'
import { type ColumnFormat, countFormats } from './column-formats.ts'
import { findHeader } from './find-header.ts'
import { splitRows } from './split-rows.ts'
import { workbookEnding } from './store-workbook.ts'
import { MAXIMUM_COLUMNS, MAXIMUM_LINE, uploadError } from './upload-error.ts'
import { fault } from '@emma/contract/faults.ts'

export interface FileAnalysis {
  charset: Charset
  delimiter: Delimiter
  /** Column names; empty when the first row is data. */
  header: string[]
  /** Number of rows before the header, or before the first row of data: titles, comments, `sep=;`. */
  preamble: number
  /** First rows of data, 20 at most. */
  sample: string[][]
  /** Format of dates and numbers in each column, from all rows of the first 2 MB. */
  formats: ColumnFormat[]
}

export interface FileWishes {
  charset?: Charset | null | undefined
  delimiter?: Delimiter | null | undefined
}

const BEGINNING = 2 * MAXIMUM_LINE
const SAMPLE_ROWS = 20

/**
 * Analyses the start of a file: charset, delimiter, header, first rows.
 *
 * @param isKey distinguishes a cell with data from one that names its column
 * @throws UploadError for what is no table: empty, a spreadsheet or archive, a line without end, a requested charset or
 * delimiter that contradicts the file, too many columns
 */
export async function analyseFile(
  path: string,
  isKey: (cell: string) => boolean,
  wishes: FileWishes = {},
): Promise<FileAnalysis> {
  const { bytes, isWhole } = await readBeginning(path)
  refuseOtherFormats(bytes)
  const charset = chooseCharset(bytes, isWhole, wishes.charset ?? null)
  const text = await decodeBeginning(bytes, charset, isWhole)
  const delimiter = chooseDelimiter(text, wishes.delimiter ?? null)
  const rows = firstRows(text, delimiter)
  const { preamble, hasHeader } = findHeader(rows, isKey)
  const [first, ...others] = rows.slice(preamble)
  if (!first) throw uploadError('upload.empty')
  if (first.length > MAXIMUM_COLUMNS)
    throw uploadError('upload.columns', {
      columns: first.length,
      max: MAXIMUM_COLUMNS,
      delimiter: describeDelimiter(delimiter),
    })
  if (hasHeader && others.length === 0) throw uploadError('upload.header_only')
  return {
    charset,
    delimiter,
    preamble,
    formats: readFormats(text, delimiter, preamble + (hasHeader ? 1 : 0), first.length).map(
      // EMMA itself wrote the numbers of a converted workbook, so 1.234 has three decimals.
      ({ decimal_sign, ...format }) => ({
        ...format,
        decimal_sign: path.endsWith(workbookEnding) && decimal_sign === 'unclear' ? '.' : decimal_sign,
      }),
    ),
    header: hasHeader ? first.map(cell => cell.trim().slice(0, 255)) : [],
    sample: (hasHeader ? others : [first, ...others]).filter(isFilled).slice(0, SAMPLE_ROWS),
  }
}

function readFormats(text: string, delimiter: Delimiter, skipped: number, width: number): ColumnFormat[] {
  const counter = countFormats(width)
  const splitter = splitRows(delimiter, (cells, row) => {
    if (row > skipped) counter.add(cells)
  })
  splitter.push(text)
  splitter.end()
  return counter.formats()
}

function isFilled(row: readonly string[]): boolean {
  return row.some(cell => cell.trim() !== '')
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
    throw isGone ? uploadError('upload.gone') : error
  })
}

const formats = [
  ['504b0304', 'upload.zip'],
  ['d0cf11e0', 'upload.old_workbook'],
  ['1f8b', 'upload.gzip_in_gzip'],
  ['25504446', 'upload.pdf'],
  ['377abcaf', 'upload.seven_zip'],
] as const

function refuseOtherFormats(bytes: Buffer): void {
  const start = bytes.subarray(0, 4).toString('hex')
  const format = formats.find(([signature]) => start.startsWith(signature))
  if (format) throw uploadError('upload.format', { format: fault(format[1]) })
}

function chooseCharset(bytes: Buffer, isWhole: boolean, wish: Charset | null): Charset {
  const detected = detectCharset(bytes, isWhole)
  if (wish === null) return detected
  const isSingleByte = wish !== 'utf-8' && !wish.startsWith('utf-16')
  if (isSingleByte && isMultibyteUtf8(isWhole ? bytes : wholeLines(bytes)))
    throw uploadError('upload.is_utf8', { charset: wish })
  if (detected.startsWith('utf-16') !== wish.startsWith('utf-16'))
    throw uploadError('upload.other_charset', {
      charset: detected.toUpperCase(),
      requested: wish.toUpperCase(),
    })
  return wish
}

/** Decodes the start of the file, without the part that is cut off in a longer one. */
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
