/** Rows as CSV text (RFC 4180), with a line end after each row. */
export function csvText(rows: readonly (readonly unknown[])[], delimiter: string): string {
  return `${rows.map(row => csvLine(row, delimiter)).join('\r\n')}\r\n`
}

/**
 * One line of CSV (RFC 4180) without line end. Text that a spreadsheet would execute as a formula is prefixed with an
 * apostrophe, as names, subjects and replies are untrusted. All CSV exports use this function.
 */
export function csvLine(values: readonly unknown[], delimiter: string): string {
  return values.map(value => csvCell(value, delimiter)).join(delimiter)
}

function csvCell(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r\n]/.test(text) && !isPlainNumber(text) ? `'${text}` : text
  return safe.includes('"') || safe.includes(delimiter) || /[\r\n]/.test(safe)
    ? `"${safe.replaceAll('"', '""')}"`
    : safe
}

function isPlainNumber(text: string): boolean {
  return /^[+-]?\d+([.,]\d+)?$/.test(text)
}
