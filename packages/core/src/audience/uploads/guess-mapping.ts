import { columnSynonyms } from '@emma/contract/column-synonyms.ts'
import type { dataupload } from '@emma/contract/resources/dataupload.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { z } from 'zod'

/** Maps one column of the file to a column of the target, or null to ignore it. */
export type Mapping = z.infer<typeof dataupload.fields.mapping>[number]

type Target = Pick<MemberColumn, 'column_name' | 'label'>

/** Guesses the target column of each file column: first by name or label, then by synonyms; each target once. */
export function guessMapping(header: readonly string[], columns: readonly Target[]): Mapping[] {
  const titles = header.map(simplify)
  const guessed = new Map<number, string>()
  const guess = (fits: (column: Target, title: string) => boolean) => {
    for (const [index, title] of titles.entries()) {
      if (guessed.has(index) || title === '') continue
      const taken = new Set(guessed.values())
      const found = columns.find(column => !taken.has(column.column_name) && fits(column, title))
      if (found) guessed.set(index, found.column_name)
    }
  }
  guess(({ column_name, label }, title) => simplify(column_name) === title || simplify(label) === title)
  guess(({ column_name }, title) => columnSynonyms[column_name]?.includes(title) ?? false)
  return header.map((_, index) => ({ index, column: guessed.get(index) ?? null }))
}

/** Normalises a column name: `E-Mail Adresse` and `email_adresse` are equal. */
export function simplify(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
