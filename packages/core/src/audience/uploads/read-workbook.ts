import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import type { Entry, ZipFile } from 'yauzl'
import { open as openZip } from 'yauzl'
import { MAXIMUM_COLUMNS, UploadError, uploadError } from './upload-error.ts'
import { createDateFormats, type DateFormats, excelDate, plainNumber } from './workbook-values.ts'
import { fault } from '@emma/contract/faults.ts'

/** Limits of a workbook; Excel itself has 1,048,576 rows per sheet. */
const LARGEST_WORKBOOK = 512 * 1024 ** 2
const MAXIMUM_STRINGS = 2_000_000
const MAXIMUM_STRING_CHARACTERS = 64 * 1024 ** 2
const MAXIMUM_ENTRIES = 10_000
/** Most bytes of XML without a tag: longer than any cell of Excel (32,767 characters). */
const LONGEST_TEXT = 2 * 1024 ** 2

export const brokenWorkbook = () => uploadError('upload.workbook_broken')
export const largeWorkbook = () => uploadError('upload.workbook_size', { size: '512 MB' })

/** Receives one row of a sheet: its cells by column; a row ends at its last filled cell. */
export type OnSheetRow = (cells: string[]) => Promise<void> | void

/**
 * Reads the first visible sheet with rows of an Excel workbook (ECMA-376, .xlsx) while unpacking it: texts, numbers,
 * dates as `2026-12-31` and `2026-12-31 18:30:00`, booleans as true/false, and the last results of formulas. Keeps only
 * the shared strings in memory.
 *
 * @throws UploadError for a file that is no workbook, is broken, or exceeds the limits above
 */
export async function readWorkbook(path: string, onRow: OnSheetRow): Promise<void> {
  const zip = await openArchive(path)
  try {
    const parts = await listParts(zip)
    if (!parts.has('xl/workbook.xml')) throw uploadError('upload.format', { format: fault('upload.zip') })
    await readSheets(createPartReader(zip, parts), onRow)
  } catch (error) {
    throw error instanceof UploadError ? error : brokenWorkbook()
  } finally {
    zip.close()
  }
}

async function readSheets(read: PartReader, onRow: OnSheetRow): Promise<void> {
  const { sheets, isFrom1904 } = await readWorkbookPart(read)
  const targets = await readRelations(read)
  const strings = await readStrings(read, targets.get('sharedStrings') ?? 'xl/sharedStrings.xml')
  const dates = await readStyles(read, targets.get('styles') ?? 'xl/styles.xml')
  let rows = 0
  for (const id of sheets) {
    const target = targets.get(id)
    if (target === undefined) continue
    await readSheet(read, target, { strings, dates, isFrom1904 }, cells => {
      rows++
      return onRow(cells)
    })
    if (rows > 0) return
  }
  throw uploadError('upload.workbook_empty')
}

interface Tag {
  name: string
  attributes: Record<string, string>
}

interface XmlHandlers {
  open?: (tag: Tag) => void
  close?: (name: string) => void
  text?: (text: string) => void
  /** Called after each chunk of the part, to write buffered rows. */
  flush?: () => Promise<void>
}

/** Parses one part of the archive while unpacking it; a missing part is empty. */
type PartReader = (name: string, handlers: XmlHandlers) => Promise<void>

function createPartReader(zip: ZipFile, parts: ReadonlyMap<string, Entry>): PartReader {
  let unpacked = 0
  return async (name, { open, close, text, flush }) => {
    const entry = parts.get(name)
    if (!entry) return
    const parser = new SaxesParser()
    let sinceTag = 0
    parser.on('doctype', () => {
      throw brokenWorkbook()
    })
    parser.on('error', () => {
      throw brokenWorkbook()
    })
    parser.on('opentag', tag => {
      sinceTag = 0
      open?.({ name: localName(tag.name), attributes: tag.attributes })
    })
    parser.on('closetag', tag => {
      sinceTag = 0
      close?.(localName(tag.name))
    })
    if (text) parser.on('text', text)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const chunk of await openPart(zip, entry)) {
      if (!Buffer.isBuffer(chunk)) throw brokenWorkbook()
      unpacked += chunk.length
      sinceTag += chunk.length
      if (unpacked > LARGEST_WORKBOOK) throw largeWorkbook()
      if (sinceTag > LONGEST_TEXT) throw brokenWorkbook()
      parser.write(decoder.decode(chunk, { stream: true }))
      await flush?.()
    }
    parser.write(decoder.decode()).close()
    await flush?.()
  }
}

async function readWorkbookPart(read: PartReader): Promise<{ sheets: string[]; isFrom1904: boolean }> {
  const sheets: string[] = []
  let isFrom1904 = false
  await read('xl/workbook.xml', {
    open({ name, attributes }) {
      if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (id !== undefined && sheets.length < 1000) sheets.push(id)
    },
  })
  return { sheets, isFrom1904 }
}

/** Parts of the workbook by relation id; shared strings and styles also by their type. */
async function readRelations(read: PartReader): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  await read('xl/_rels/workbook.xml.rels', {
    open({ name, attributes }) {
      const target = attributes['Target']
      if (name !== 'Relationship' || target === undefined || targets.size > MAXIMUM_ENTRIES) return
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`
      targets.set(attributes['Id'] ?? '', path)
      const kind = attributes['Type']?.split('/').pop()
      if (kind === 'sharedStrings' || kind === 'styles') targets.set(kind, path)
    },
  })
  return targets
}

async function readStrings(read: PartReader, part: string): Promise<string[]> {
  const strings: string[] = []
  let characters = 0
  let current = ''
  let isText = false
  let isPhonetic = false
  await read(part, {
    open({ name }) {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't'
    },
    text(text) {
      if (isText && !isPhonetic) current += text
    },
    close(name) {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      characters += current.length
      if (strings.length >= MAXIMUM_STRINGS || characters > MAXIMUM_STRING_CHARACTERS) throw largeWorkbook()
      strings.push(current)
    },
  })
  return strings
}

async function readStyles(read: PartReader, part: string): Promise<DateFormats> {
  const formats = createDateFormats()
  let isCellFormats = false
  await read(part, {
    open({ name, attributes }) {
      if (name === 'numFmt') formats.addCode(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      if (name === 'cellXfs') isCellFormats = true
      if (name === 'xf' && isCellFormats) formats.addStyle(Number(attributes['numFmtId'] ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') isCellFormats = false
    },
  })
  return formats
}

interface SheetValues {
  strings: readonly string[]
  dates: DateFormats
  isFrom1904: boolean
}

async function readSheet(
  read: PartReader,
  part: string,
  values: SheetValues,
  onRow: OnSheetRow,
): Promise<void> {
  const rows: string[][] = []
  let cells: string[] = []
  let cell = { column: 0, type: 'n', style: 0 }
  let value = ''
  let isValue = false
  await read(part, {
    open({ name, attributes }) {
      if (name === 'row') {
        cells = []
        cell = { column: -1, type: 'n', style: 0 }
      } else if (name === 'c') {
        const column = columnOf(attributes['r']) ?? cell.column + 1
        cell = { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0) }
        value = ''
      }
      isValue = name === 'v' || name === 't'
    },
    text(text) {
      if (isValue) value += text
    },
    close(name) {
      isValue = false
      if (name === 'c' && value !== '') setCell(cells, cell.column, cellText(cell, value, values))
      if (name === 'row' && cells.length > 0) rows.push(cells)
    },
    async flush() {
      for (const row of rows) await onRow(row)
      rows.length = 0
    },
  })
}

function setCell(cells: string[], column: number, text: string): void {
  if (column >= MAXIMUM_COLUMNS) throw uploadError('upload.workbook_columns', { max: MAXIMUM_COLUMNS })
  while (cells.length < column) cells.push('')
  cells[column] = text
}

/** `AB12` → 27. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1]
  if (letters === undefined) return null
  let column = 0
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64
  return column - 1
}

function cellText(
  { type, style }: { type: string; style: number },
  value: string,
  { strings, dates, isFrom1904 }: SheetValues,
): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'true' : 'false'
    case 'n':
      return dates.isDate(style) ? excelDate(value, isFrom1904) : plainNumber(value)
    default:
      return value
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function openArchive(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    openZip(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (zip) resolve(zip)
      else if (error) reject(uploadError('upload.format', { format: fault('upload.zip') }))
    })
  })
}

function listParts(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAXIMUM_ENTRIES) throw largeWorkbook()
  return new Promise((resolve, reject) => {
    const parts = new Map<string, Entry>()
    zip.on('entry', (entry: Entry) => {
      parts.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(parts))
    zip.on('error', reject)
    zip.readEntry()
  })
}

function openPart(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (stream) resolve(stream)
      else reject(error ?? brokenWorkbook())
    })
  })
}
