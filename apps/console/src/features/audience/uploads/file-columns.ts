import type { Upload } from './upload-calls.ts'
import { columnNameOf } from '../datasources/column-name.ts'
import type { Mapping } from '@emma/ui/upload/match-columns.ts'

/** A column of a file with a unique name. */
export interface FileColumn {
  name: string
  samples: readonly string[]
}

/** Number of sample values shown per column. */
const shownSamples = 3

/** The columns of a file in order. A column without a header is named by its number: "#3". */
export function fileColumns(header: readonly string[], sample: readonly (readonly string[])[]): FileColumn[] {
  const taken = new Set<string>()
  return header.map((title, index) => {
    const name = ownName(title.trim() || `#${index + 1}`, taken)
    taken.add(name)
    const values = sample.map(row => row[index] ?? '').filter(value => value.trim() !== '')
    return { name, samples: values.slice(0, shownSamples) }
  })
}

/** Mapping target that creates a new column in the datasource. No column can have this name. */
export const newColumnTarget = '+'

/** A column to be created in the datasource. */
export interface NewColumn extends NonNullable<Upload['mapping'][number]['new_column']> {
  column_name: string
}

/** Suggests a new column for a file's column: named by its header, with the type detected in its cells. */
export function suggestColumn(name: string, format: Upload['formats'][number] | undefined): NewColumn {
  return { column_name: columnNameOf(name), label: name, data_type: format?.data_type ?? 'string' }
}

/** Converts the server's mapping (by index) to the table's (by name). */
export function toShown(
  kept: readonly Pick<Upload['mapping'][number], 'index' | 'column' | 'new_column'>[],
  columns: readonly FileColumn[],
): Mapping {
  const byPlace = new Map(kept.map(entry => [entry.index, entry.new_column ? newColumnTarget : entry.column]))
  return Object.fromEntries(columns.map(({ name }, index) => [name, byPlace.get(index) ?? null]))
}

/** Date or number format that the user selected for a column. */
export type ChosenFormat = Pick<Upload['mapping'][number], 'date_order' | 'decimal_sign'>

export function toKept(
  shown: Mapping,
  columns: readonly FileColumn[],
  formats: Readonly<Record<string, ChosenFormat>>,
  newColumnOf: (name: string) => NewColumn,
): Upload['mapping'] {
  return columns.map(({ name }, index) => {
    const target = shown[name] ?? null
    if (target !== newColumnTarget) return { index, column: target, ...formats[name] }
    const { column_name: column, ...new_column } = newColumnOf(name)
    return { index, column, new_column, ...formats[name] }
  })
}

function ownName(title: string, taken: ReadonlySet<string>): string {
  let name = title
  for (let number = 2; taken.has(name); number++) name = `${title} (${number})`
  return name
}
