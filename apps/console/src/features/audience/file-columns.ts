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

/** The mapping as the server keeps it (by place) as the table shows it (by name). */
export function toShown(
  kept: readonly { index: number; column: string | null }[],
  columns: readonly FileColumn[],
): Mapping {
  const byPlace = new Map(kept.map(({ index, column }) => [index, column]))
  return Object.fromEntries(columns.map(({ name }, index) => [name, byPlace.get(index) ?? null]))
}

export function toKept(
  shown: Mapping,
  columns: readonly FileColumn[],
): { index: number; column: string | null }[] {
  return columns.map(({ name }, index) => ({ index, column: shown[name] ?? null }))
}

function ownName(title: string, taken: ReadonlySet<string>): string {
  let name = title
  for (let number = 2; taken.has(name); number++) name = `${title} (${number})`
  return name
}
