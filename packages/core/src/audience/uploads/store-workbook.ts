import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { largeWorkbook, readWorkbook } from './read-workbook.ts'

/** Number of first rows that determine the width of the table. */
const FIRST_ROWS = 60
/** Most bytes of the CSV: a workbook can repeat one long text in every cell. */
const LARGEST_TABLE = 1024 ** 3

/** File extension of converted workbooks, whose numbers have decimal points. */
export const workbookEnding = '.xlsx.csv'

let last: Promise<unknown> = Promise.resolve()

/**
 * Converts the first sheet with rows of an Excel workbook to CSV (UTF-8, commas) in the file `table`, and deletes the
 * workbook. One at a time, so that the shared strings of several workbooks do not add up in memory.
 *
 * @returns bytes of the CSV; null when the file is no archive, which is kept
 * @throws UploadError for an archive that is no readable workbook, or too large
 */
export async function storeWorkbook(path: string, table: string): Promise<number | null> {
  if (!(await isArchive(path))) return null
  const turn = last.then(() => convert(path, table))
  last = turn.catch(() => {})
  return turn
}

async function convert(path: string, table: string): Promise<number> {
  try {
    const size = await writeTable(path, table)
    await rm(path, { force: true })
    return size
  } catch (error) {
    await rm(table, { force: true })
    throw error
  }
}

async function writeTable(path: string, table: string): Promise<number> {
  const file = createWriteStream(table, { mode: 0o600 })
  let first: string[][] | null = []
  let width = 0
  let size = 0
  const write = async (cells: string[]) => {
    while (cells.length < width) cells.push('')
    const line = Buffer.from(`${cells.map(quote).join(',')}\n`)
    size += line.length
    if (size > LARGEST_TABLE) throw largeWorkbook()
    if (!file.write(line)) await once(file, 'drain')
  }
  const writeFirst = async () => {
    const rows = first ?? []
    first = null
    width = Math.max(0, ...rows.map(row => row.length))
    for (const row of rows) await write(row)
  }
  try {
    await readWorkbook(path, async cells => {
      if (first === null) return write(cells)
      if (first.push(cells) === FIRST_ROWS) await writeFirst()
    })
    if (first !== null) await writeFirst()
    file.end()
    await finished(file)
    return size
  } finally {
    file.destroy()
  }
}

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const start = Buffer.alloc(4)
    await file.read(start, 0, 4, 0)
    return start.toString('hex') === '504b0304'
  } finally {
    await file.close()
  }
}

function quote(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
