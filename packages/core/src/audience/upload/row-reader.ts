import { AddressSet } from './address-set.ts'
import type { ErrorFile } from './error-file.ts'
import type { ImportTarget, TargetColumn } from './import-target.ts'
import type { Mapping } from './guess-mapping.ts'
import type { OnRow } from './split-rows.ts'
import { MAXIMUM_ROWS, UploadError } from './upload-error.ts'

/** What became of the rows; `read` is the sum of the others and `staged`. */
export interface RowCounts {
  read: number
  staged: number
  incomplete: number
  invalid: number
  duplicate: number
}

export interface RowReader {
  counts: RowCounts
  /** Takes each row of the file, the header too. */
  onRow: OnRow
  /** The rows that were right since the last call, in COPY's text format. */
  take(): string
}

interface Filled extends TargetColumn {
  index: number
}

/**
 * The columns of the target that the file fills, in the order of the file.
 *
 * @throws UploadError for a mapping without the key or a required column, or with unknown or doubled ones
 */
export function filledColumns(target: ImportTarget, mapping: readonly Mapping[], width: number): Filled[] {
  const filled = mapping.flatMap(({ index, column: name }) => {
    if (name === null) return []
    const column = target.columns.find(one => one.column_name === name)
    if (!column) throw new UploadError(`"${target.name}" has no column "${name}" that a file can fill.`)
    if (index >= width) throw new UploadError(`The file has no column ${index + 1}; it has ${width}.`)
    return [{ ...column, index }]
  })
  const names = filled.map(column => column.column_name)
  const double = names.find((name, at) => names.indexOf(name) !== at)
  if (double !== undefined) throw new UploadError(`Two columns of the file are mapped to "${double}".`)
  if (!names.includes(target.key))
    throw new UploadError(`No column of the file is mapped to "${target.key}", by which rows are told apart.`)
  return filled
}

/**
 * Reads rows: as many cells as the header (R281), required ones filled, each fit for its column, each key once (the
 * first row with it counts). What is wrong goes to the error file.
 */
export function createRowReader(
  filled: readonly Filled[],
  target: ImportTarget,
  file: { width: number; hasHeader: boolean },
  errors: ErrorFile,
): RowReader {
  const counts: RowCounts = { read: 0, staged: 0, incomplete: 0, invalid: 0, duplicate: 0 }
  const seen = new AddressSet()
  const keyAt = filled.findIndex(column => column.column_name === target.key)
  const shouldStage: readonly string[] = filled.map(column => column.column_name)
  const values = Array.from({ length: shouldStage.length }, () => '')
  let staged = ''

  function refuse(
    kind: 'incomplete' | 'invalid' | 'duplicate',
    row: number,
    reason: string,
    column: string,
    cells: readonly string[],
  ) {
    counts[kind]++
    errors.add(row, reason, column, cells)
  }

  function onRow(cells: string[], row: number): void {
    if (row === 1 && file.hasHeader) return
    if (++counts.read > MAXIMUM_ROWS)
      throw new UploadError(`The file has more than ${MAXIMUM_ROWS.toLocaleString('en')} rows. Split it.`)
    if (cells.length !== file.width) {
      refuse('incomplete', row, `has ${cells.length} cells instead of ${file.width}`, '', cells)
      return
    }
    for (let at = 0; at < filled.length; at++) {
      const column = filled[at]
      if (column === undefined) continue
      const cell = cells[column.index] ?? ''
      const value = cell === '' ? '' : column.read(cell)
      if (typeof value !== 'string') {
        if (cell.trim() !== '') {
          refuse('invalid', row, value.fault, column.column_name, cells)
          return
        }
        values[at] = ''
      } else values[at] = value
      if (values[at] !== '') {
        if (column.isFreeText) values[at] = escape(values[at] ?? '')
        continue
      }
      if (column.isRequired) {
        refuse('incomplete', row, 'is empty, but required', column.column_name, cells)
        return
      }
      values[at] = '\\N'
    }
    if (!seen.add(values[keyAt] ?? '')) {
      refuse('duplicate', row, 'is in the file twice; the first row counts', target.key, cells)
      return
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

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Looking first is what makes it fast: hardly any cell has one of the four. */
function escape(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, sign => escapes[sign] ?? sign) : text
}
