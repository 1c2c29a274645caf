import { type Fault, fault } from '@emma/contract/faults.ts'
import { AddressSet } from './address-set.ts'
import type { ErrorFile } from './error-file.ts'
import type { ImportTarget, TargetColumn } from './import-target.ts'
import type { Mapping } from './guess-mapping.ts'
import type { ColumnFormat } from './column-formats.ts'
import type { OnRow } from './split-rows.ts'
import { MAXIMUM_ROWS, uploadError } from './upload-error.ts'
import type { ReadValue } from '../members/read-value.ts'

/** Row counts; `read` is the sum of `staged`, `incomplete`, `invalid` and `duplicate`. */
export interface RowCounts {
  read: number
  staged: number
  /** Staged rows with a cell that was replaced to fit. */
  repaired: number
  incomplete: number
  invalid: number
  duplicate: number
}

export interface RowReader {
  counts: RowCounts
  /** Processes each row of the file, including the header. */
  onRow: OnRow
  /** Returns the staged rows since the last call, in COPY's text format. */
  take(): string
}

/** A column of the target that the file fills. */
export interface FilledColumn extends TargetColumn {
  index: number
  read: ReadValue
}

/**
 * Columns of the target that the file fills, in the order of the file.
 *
 * @throws UploadError for a mapping without the key, with unknown or duplicate columns, or with ambiguous dates or
 * numbers
 */
export function filledColumns(
  target: ImportTarget,
  mapping: readonly Mapping[],
  {
    width,
    formats,
    emptyBadCells,
  }: { width: number; formats: readonly ColumnFormat[]; emptyBadCells: boolean },
): FilledColumn[] {
  const filled = mapping.flatMap(({ index, column: name, date_order, decimal_sign }) => {
    if (name === null || (target.needsKeyOnly && name !== target.key)) return []
    const column = target.columns.find(one => one.column_name === name)
    if (!column) throw uploadError('upload.no_column', { target: target.name, column: name })
    if (index >= width) throw uploadError('upload.no_place', { place: index + 1, width })
    const dateOrder = date_order ?? formats[index]?.date_order ?? 'unclear'
    const decimalSign = decimal_sign ?? formats[index]?.decimal_sign ?? 'unclear'
    const read = column.reader({ dateOrder, decimalSign, isLocalTime: true })
    const isOptional = !column.isRequired && name !== target.key
    const repair = column.repair ?? (emptyBadCells && isOptional ? () => '' : undefined)
    return [{ ...column, index, read, ...(repair && { repair }) }]
  })
  const names = filled.map(column => column.column_name)
  const double = names.find((name, at) => names.indexOf(name) !== at)
  if (double !== undefined) throw uploadError('upload.mapped_twice', { column: double })
  if (!names.includes(target.key)) throw uploadError('upload.no_key', { column: target.key })
  refuseUnclear(filled, formats, mapping)
  return filled
}

/** Rejects ambiguous dates and numbers: in a file of a million rows nobody would notice swapped days and months. */
function refuseUnclear(
  filled: readonly FilledColumn[],
  formats: readonly ColumnFormat[],
  mapping: readonly Mapping[],
): void {
  for (const { index, column_name: name, type } of filled) {
    const chosen = mapping.find(entry => entry.index === index)
    const format = formats[index]
    if (
      (type === 'date' || type === 'timestamptz') &&
      !chosen?.date_order &&
      format?.date_order === 'unclear'
    )
      throw uploadError('upload.unclear_dates', { column: name })
    if (type === 'numeric' && !chosen?.decimal_sign && format?.decimal_sign === 'unclear')
      throw uploadError('upload.unclear_numbers', { column: name })
  }
}

/**
 * Reads and validates rows: as many cells as the header (R281), required cells filled, each valid for its column, each
 * key once (the first row counts). Faults are written to the error file.
 */
export function createRowReader(
  filled: readonly FilledColumn[],
  target: ImportTarget,
  file: { width: number; preamble: number; hasHeader: boolean },
  errors: Pick<ErrorFile, 'add'>,
): RowReader {
  const counts: RowCounts = { read: 0, staged: 0, incomplete: 0, invalid: 0, duplicate: 0, repaired: 0 }
  const firstRow = file.preamble + (file.hasHeader ? 2 : 1)
  const seen = new AddressSet()
  const keyAt = filled.findIndex(column => column.column_name === target.key)
  const shouldStage: readonly string[] = filled.map(column => column.column_name)
  const values = Array.from({ length: shouldStage.length }, () => '')
  let staged = ''

  function refuse(
    kind: 'incomplete' | 'invalid' | 'duplicate',
    row: number,
    reason: Fault,
    column: string,
    cells: readonly string[],
  ) {
    counts[kind]++
    errors.add(row, reason, column, cells)
  }

  function onRow(cells: string[], row: number): void {
    if (row < firstRow) return
    if (++counts.read > MAXIMUM_ROWS)
      throw uploadError('upload.rows', { max: MAXIMUM_ROWS.toLocaleString('en') })
    if (cells.length !== file.width && !target.takesUnevenRows) {
      const reason = fault('cell.cells', { cells: cells.length, width: file.width })
      refuse('incomplete', row, reason, '', cells)
      return
    }
    let repairs: { reason: Fault; column: string }[] | null = null
    for (let at = 0; at < filled.length; at++) {
      const column = filled[at]
      if (column === undefined) continue
      const value = readCell(column, cells[column.index] ?? '')
      if (typeof value === 'string') {
        values[at] = value
        continue
      }
      const { kind, reason, repaired } = value
      if (repaired === null) {
        refuse(kind, row, reason, column.column_name, cells)
        return
      }
      values[at] = repaired
      repairs ??= []
      repairs.push({ reason, column: column.column_name })
    }
    if (!seen.add(values[keyAt] ?? '')) {
      refuse('duplicate', row, duplicate, target.key, cells)
      return
    }
    if (repairs !== null) {
      counts.repaired++
      for (const { reason, column } of repairs) errors.add(row, reason, column, cells)
    }
    counts.staged++
    staged += `${row}\t${values.join('\t')}\n`
  }

  return {
    counts,
    onRow,
    take() {
      const text = staged
      staged = ''
      return text
    },
  }
}

/** A cell that does not fit its column. */
export interface CellFault {
  kind: 'incomplete' | 'invalid'
  reason: Fault
  /** Value that is imported instead, in COPY's text format; null when the row is rejected. */
  repaired: string | null
}

/** Value of a cell in COPY's text format, or its fault. */
export function readCell(column: FilledColumn, cell: string): string | CellFault {
  const read = cell === '' ? '' : column.read(cell)
  const isBlank = typeof read !== 'string' && cell.trim() === ''
  if (typeof read !== 'string' && !isBlank) {
    if (!column.repair) return { kind: 'invalid', reason: read, repaired: null }
    const instead = column.repair(cell)
    if (instead === '' && column.isRequired) return emptyCell
    const outcome = instead === '' ? 'cell.emptied' : 'cell.shortened'
    return { kind: 'invalid', reason: repairFault(outcome, read), repaired: stage(column, instead) }
  }
  const value = typeof read === 'string' ? read : ''
  return value === '' && column.isRequired ? emptyCell : stage(column, value)
}

const duplicate = fault('cell.duplicate')
const emptyCell: CellFault = { kind: 'incomplete', reason: fault('cell.required'), repaired: null }

/** Cached per fault: faults are created once. */
function repairFault(outcome: keyof typeof repairFaults, read: Fault): Fault {
  const reason = repairFaults[outcome].get(read) ?? fault(outcome, { fault: read })
  repairFaults[outcome].set(read, reason)
  return reason
}

const repairFaults = {
  'cell.emptied': new WeakMap<Fault, Fault>(),
  'cell.shortened': new WeakMap<Fault, Fault>(),
}

function stage(column: FilledColumn, value: string): string {
  if (value === '') return '\\N'
  return column.isFreeText ? escape(value) : value
}

/** Parses the output of `take`: row number and values of each row; null is an empty field. */
export function readStagedRows(staged: string): { row: number; values: (string | null)[] }[] {
  return staged
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [row, ...values] = line.split('\t')
      return { row: Number(row), values: values.map(value => (value === '\\N' ? null : unescape(value))) }
    })
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Tests first for speed: hardly any cell has one of these characters. */
function escape(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, sign => escapes[sign] ?? sign) : text
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, (_, sign: string) => signs[sign] ?? sign)
}

const signs: Record<string, string> = { t: '\t', n: '\n', r: '\r' }
