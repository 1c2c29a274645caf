import type { Fault } from '@emma/contract/faults.ts'

/** Cell format of one column of a file. */
export interface CellFormat {
  dateOrder: DateOrder
  decimalSign: DecimalSign
  /**
   * Whether times without an offset are local times of the client, which PostgreSQL resolves by the session's time
   * zone.
   */
  isLocalTime: boolean
}

/**
 * Reads a non-empty text as a value of one column: in PostgreSQL's input format, or a fault. Faults are created once per
 * column, not per cell: a million invalid cells allocate none.
 */
export type ReadValue = (text: string) => string | Fault

/** Order of day and month in dates such as `01/02/2026`; `unclear`: ambiguous dates are rejected. */
export type DateOrder = 'dmy' | 'mdy' | 'unclear'

/**
 * Decimal separator of a column's numbers; the other character separates thousands. `unclear`: all numbers of the file
 * are ambiguous, and `1.234` is rejected; `json`: a single value of an API client, where the point is decimal.
 */
export type DecimalSign = '.' | ',' | 'unclear' | 'json'
