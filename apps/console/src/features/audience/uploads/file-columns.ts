import type { Upload } from './upload-calls.ts'
import { columnNameOf } from '../datasources/column-name.ts'
import type { Mapping } from '@emma/ui/upload/match-columns.ts'

/** A column of a file under a name of its own: two that are called the same are told apart. */
export interface FileColumn {
  name: string
  samples: readonly string[]
}

/** Values of each column that are shown beside its name. */
const shownSamples = 3

/** The columns of a file, in their order. A column without a name is called by its letter's place: "#3". */
export function fileColumns(header: readonly string[], sample: readonly (readonly string[])[]): FileColumn[] {
  const taken = new Set<string>()
  return header.map((title, index) => {
    const name = ownName(title.trim() || `#${index + 1}`, taken)
    taken.add(name)
    const values = sample.map(row => row[index] ?? '').filter(value => value.trim() !== '')
    return { name, samples: values.slice(0, shownSamples) }
  })
}

/** In the table: the column goes into one that the datasource is to get. No column can have this name. */
export const newColumnTarget = '+'

/** A column that the datasource is to get. */
export interface NewColumn extends NonNullable<Upload['mapping'][number]['new_column']> {
  column_name: string
}

/** A new column for one of the file: named by its header, of the type that its cells fit. */
export function suggestColumn(name: string, format: Upload['formats'][number] | undefined): NewColumn {
  return { column_name: columnNameOf(name), label: name, data_type: format?.data_type ?? 'string' }
}

/** The mapping as the server keeps it (by place) as the table shows it (by name). */
export function toShown(
  kept: readonly Pick<Upload['mapping'][number], 'index' | 'column' | 'new_column'>[],
  columns: readonly FileColumn[],
): Mapping {
  const byPlace = new Map(kept.map(entry => [entry.index, entry.new_column ? newColumnTarget : entry.column]))
  return Object.fromEntries(columns.map(({ name }, index) => [name, byPlace.get(index) ?? null]))
}

/** How the cells of a column of the file are written, as a person chose. */
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
