import { columnSynonyms } from '@emma/contract/column-synonyms.ts'
import type { dataupload } from '@emma/contract/resources/dataupload.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { z } from 'zod'

/** One column of the file → the name of the target's column, or null to leave it out. */
export type Mapping = z.infer<typeof dataupload.fields.mapping>[number]

type Target = Pick<MemberColumn, 'column_name' | 'label'>

/**
 * Guesses which column of the file fills which of the target: first by name or label, then by what others call it;
 * each target once.
 */
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

/** `E-Mail Adresse` and `email_adresse` are the same. */
export function simplify(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
