import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'

export interface ErrorFile {
  /** A row that is not taken: its number in the file, why, which column, and its cells as they came. */
  add(row: number, reason: string, column: string, cells: readonly string[]): void
  /** Writes what has gathered; call it now and then, so that it does not pile up. */
  flush(): Promise<void>
  close(): Promise<void>
  readonly rows: number
}

/** Begins the error file of an upload: CSV in UTF-8 with a byte order mark, so that spreadsheets read it right. */
export function createErrorFile(path: string, header: readonly string[], delimiter: string): ErrorFile {
  const file = createWriteStream(path, { mode: 0o600 })
  let rows = 0
  let gathered = `\ufeff${toLine(['row', 'reason', 'column', ...header], delimiter)}`
  return {
    get rows() {
      return rows
    },
    add(row, reason, column, cells) {
      rows++
      gathered += toLine([String(row), reason, column, ...cells], delimiter)
    },
    async flush() {
      if (gathered === '') return
      const text = gathered
      gathered = ''
      if (!file.write(text)) await once(file, 'drain')
    },
    async close() {
      file.end(gathered)
      gathered = ''
      await finished(file)
    },
  }
}

function toLine(cells: readonly string[], delimiter: string): string {
  return `${cells.map(cell => quote(cell, delimiter)).join(delimiter)}\r\n`
}

function quote(cell: string, delimiter: string): string {
  return cell.includes('"') || cell.includes(delimiter) || cell.includes('\n') || cell.includes('\r')
    ? `"${cell.replaceAll('"', '""')}"`
    : cell
}
