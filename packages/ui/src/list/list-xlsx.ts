import type { Row } from 'write-excel-file/browser'

/**
 * Converts rows to an Excel workbook, the first being the header; numbers stay numbers. The writer is loaded on the
 * first export.
 */
export async function workbookOf(rows: readonly (readonly unknown[])[]): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/browser')
  const [head = [], ...body] = rows
  const sheet: Row[] = [
    head.map(name => ({ value: String(name), fontWeight: 'bold' as const })),
    ...body.map(row => row.map(cellOf)),
  ]
  return writeXlsxFile(sheet, { stickyRowsCount: 1 }).toBlob()
}

/** Text cells are typed as strings, so that text starting with `=` is not a formula. */
function cellOf(value: unknown): Row[number] {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && Number.isFinite(value)) return { type: Number, value }
  if (typeof value === 'boolean') return { type: Boolean, value }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  // Excel's maximum length of a cell.
  return { type: String, value: text.slice(0, 32_767) }
}
