/** How the cells of one column of a file are written. */
export interface CellFormat {
  dateOrder: DateOrder
  decimalSign: DecimalSign
  /** True where a time without an offset is the client's local time, which PostgreSQL resolves by the session's zone. */
  isLocalTime: boolean
}

/** Why a text is no value of a column: an object, so that it cannot be taken for a value. */
export interface Fault {
  fault: string
}

/** Reads a text that is not empty as a value of one column: the value in the form PostgreSQL takes, or the fault. */
export type ReadValue = (text: string) => string | Fault

/** Which part of `01/02/2026` comes first in a column; `unclear`: dates that can be read in two ways are refused. */
export type DateOrder = 'dmy' | 'mdy' | 'unclear'

/**
 * What separates the decimals of the numbers of a column; the other sign groups thousands. `unclear`: a file shows only
 * what can be read in two ways, and `1.234` is refused; `json`: a single value of a program, where a point is one.
 */
export type DecimalSign = '.' | ',' | 'unclear' | 'json'
