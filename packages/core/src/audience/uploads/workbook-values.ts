/** Determines which cell styles of a workbook format a number as a date or time. */
export interface DateFormats {
  addCode(id: number, code: string): void
  /** Call it for the styles in their order. */
  addStyle(formatId: number): void
  isDate(style: number): boolean
}

const MAXIMUM_STYLES = 65_536

/**
 * Built-in formats 14 to 22 and 45 to 47 (ECMA-376, 18.8.30); others by their code, without literal texts, colours and
 * escapes.
 */
export function createDateFormats(): DateFormats {
  const codes = new Map<number, boolean>()
  const styles: boolean[] = []
  return {
    addCode(id, code) {
      if (codes.size < MAXIMUM_STYLES)
        codes.set(
          id,
          /[dmyhs]/i.test(code.slice(0, 255).replace(/"[^"]*"|\[(?![hms]+\])[^\]]*\]|\\.|_./gi, '')),
        )
    },
    addStyle(id) {
      if (styles.length < MAXIMUM_STYLES)
        styles.push(codes.get(id) ?? ((id >= 14 && id <= 22) || (id >= 45 && id <= 47)))
    },
    isDate: style => styles[style] ?? false,
  }
}

const DAY = 86_400_000

/** Converts an Excel day number to `2026-12-31`, `2026-12-31 18:30:00` or `18:30:00`; returns other values unchanged. */
export function excelDate(value: string, isFrom1904: boolean): string {
  const serial = Number(value)
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_465) return value
  // Excel counts the non-existent 29 February 1900.
  const days = isFrom1904 ? serial + 1462 : serial + (serial < 60 && serial >= 1 ? 1 : 0)
  const text = new Date(Math.round(days * 86_400) * 1000 + Date.UTC(1899, 11, 30)).toISOString()
  const [day, time] = [text.slice(0, 10), text.slice(11, 19)]
  if (serial < 1 && !isFrom1904) return time
  return Math.round(days * 86_400) % (DAY / 1000) === 0 ? day : `${day} ${time}`
}

/** Formats a number without exponent, with Excel's precision of 15 digits. */
export function plainNumber(value: string): string {
  if (/^-?\d{1,15}$/.test(value)) return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return Number(number.toPrecision(15)).toLocaleString('en', {
    useGrouping: false,
    maximumFractionDigits: 20,
  })
}
