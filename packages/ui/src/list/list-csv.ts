import type { ListQuery } from '@emma/client/list-query.ts'
import type { Column } from './list-parts.ts'

/** Rows a call while exporting. */
const exportPage = 500

/** A call for one page; the client's `list` fits. */
export type LoadRows<Row> = (
  query: ListQuery,
  options: { signal?: AbortSignal; ignoreCache?: boolean },
) => Promise<{ data: Row[]; pagination: { total: number } }>

export interface ExportOptions<Row> {
  columns: readonly Column<Row>[]
  query: ListQuery
  load: LoadRows<Row>
  delimiter: string
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
}

/** The whole view (its search, filters, order and columns) as CSV text, loaded page by page. */
export async function exportList<Row>(options: ExportOptions<Row>): Promise<string> {
  const { columns, query, load, delimiter, signal, onProgress } = options
  const lines = [
    csvLine(
      columns.map(column => column.header),
      delimiter,
    ),
  ]
  for (let offset = 0; ; offset += exportPage) {
    const page = await load({ ...query, limit: exportPage, offset }, { signal, ignoreCache: true })
    for (const row of page.data)
      lines.push(
        csvLine(
          columns.map(column => csvValue(column, row)),
          delimiter,
        ),
      )
    onProgress(lines.length - 1, page.pagination.total)
    if (page.data.length < exportPage || lines.length - 1 >= page.pagination.total) break
  }
  return `${lines.join('\r\n')}\r\n`
}

/** Spreadsheets of decimal-comma countries expect a semicolon. */
export function csvDelimiter(language: string): string {
  return language.startsWith('en') ? ',' : ';'
}

/**
 * One line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front, because
 * names and subjects come from strangers.
 */
export function csvLine(values: readonly unknown[], delimiter: string): string {
  return values.map(value => csvCell(value, delimiter)).join(delimiter)
}

function csvCell(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) && !isPlainNumber(text) ? `'${text}` : text
  return safe.includes('"') || safe.includes(delimiter) || /[\r\n]/.test(safe)
    ? `"${safe.replaceAll('"', '""')}"`
    : safe
}

function isPlainNumber(text: string): boolean {
  return /^[+-]?\d+([.,]\d+)?$/.test(text)
}

function csvValue<Row>(column: Column<Row>, row: Row): unknown {
  if (column.text) return column.text(row)
  return typeof row === 'object' && row !== null ? Reflect.get(row, column.id) : undefined
}

/** Hands a text to the browser as a file. */
export function saveAsFile(content: string | Blob, filename: string, type = 'text/csv;charset=utf-8'): void {
  // The byte-order mark makes Excel read UTF-8.
  const file = typeof content === 'string' ? new Blob(['\uFEFF', content], { type }) : content
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  URL.revokeObjectURL(url)
}
