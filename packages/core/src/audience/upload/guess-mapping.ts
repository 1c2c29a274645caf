import { columnSynonyms } from '@emma/contract/column-synonyms.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'

/** One column of the file → the name of the target's column, or null to leave it out. */
export interface Mapping {
  index: number
  column: string | null
}

/** Guesses by name or label which column of the file fills which of the target; each target once. */
export function guessMapping(
  header: readonly string[],
  columns: readonly Pick<MemberColumn, 'column_name' | 'label'>[],
): Mapping[] {
  const taken = new Set<string>()
  return header.map((title, index) => {
    const wanted = simplify(title)
    const found = columns.find(
      ({ column_name, label }) =>
        !taken.has(column_name) &&
        (simplify(column_name) === wanted ||
          simplify(label) === wanted ||
          (columnSynonyms[column_name]?.includes(wanted) ?? false)),
    )
    if (found) taken.add(found.column_name)
    return { index, column: found?.column_name ?? null }
  })
}

/** `E-Mail Adresse` and `email_adresse` are the same. */
function simplify(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
