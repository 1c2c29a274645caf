import type { ListQuery } from '@emma/client/list-query.ts'
import type { Column } from './list-parts.ts'

/** Rows per call during an export. */
const exportPage = 500

/** Loads one page; the client's `list` is assignable. */
export type LoadRows<Row> = (
  query: ListQuery,
  options: { signal?: AbortSignal; ignoreCache?: boolean },
) => Promise<{ data: Row[]; pagination: { total: number } }>

export interface ExportOptions<Row> {
  columns: readonly Column<Row>[]
  query: ListQuery
  load: LoadRows<Row>
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
}

/** All rows of the view (search, filters, order and columns), header first, loaded page by page. */
export async function exportRows<Row>(options: ExportOptions<Row>): Promise<unknown[][]> {
  const { columns, query, load, signal, onProgress } = options
  const rows: unknown[][] = [columns.map(column => column.header)]
  for (let offset = 0; ; offset += exportPage) {
    signal.throwIfAborted()
    const page = await load({ ...query, limit: exportPage, offset }, { signal, ignoreCache: true })
    for (const row of page.data) rows.push(columns.map(column => exportValue(column, row)))
    onProgress(rows.length - 1, page.pagination.total)
    if (page.data.length < exportPage || rows.length - 1 >= page.pagination.total) return rows
  }
}

/** Spreadsheets in languages with decimal comma expect a semicolon. */
export function csvDelimiter(language: string): string {
  return language.startsWith('en') ? ',' : ';'
}

function exportValue<Row>(column: Column<Row>, row: Row): unknown {
  if (column.text) return column.text(row)
  return typeof row === 'object' && row !== null ? Reflect.get(row, column.id) : undefined
}

/** Downloads a text or blob as a file. */
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
