import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { largeWorkbook, readWorkbook } from './read-workbook.ts'

/** Rows from which the width of the table is told. */
const FIRST_ROWS = 60
/** Bytes of the written table: a workbook can repeat one long text in every cell. */
const LARGEST_TABLE = 1024 ** 3

/** What the files of tables that were workbooks end with: their numbers have decimal points. */
export const workbookEnding = '.xlsx.csv'

let last: Promise<unknown> = Promise.resolve()

/**
 * Writes the first sheet with rows of an Excel workbook as CSV (UTF-8, commas) beside it, as `table`, and removes the
 * workbook. One at a time, so that their shared texts do not add up in memory.
 *
 * @returns bytes of the CSV; null where the file is no archive, which stays
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
