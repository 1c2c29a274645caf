import { conditionsOf } from '@emma/mail/edit/conditions.ts'
import { applyPatch } from '@emma/mail/edit/patch.ts'
import { scanPieces } from '@emma/mail/edit/scan-source.ts'

/** Conditions of a template that the preview takes as met or not met, for every recipient. */
export type Branches = ReadonlyMap<string, boolean>

/** Different conditions of a source, in order; the preview lists no more than this. */
const maxConditions = 50

export function branchesOf(source: string): string[] {
  const conditions = conditionsOf(source, scanPieces(source)).map(({ text }) => text)
  return [...new Set(conditions)].slice(0, maxConditions)
}

/** The source with decided conditions: all nodes keep their order, and their marks. */
export function decideBranches(source: string, branches: Branches): string {
  if (branches.size === 0) return source
  return applyPatch(
    source,
    conditionsOf(source, scanPieces(source)).flatMap(({ text, range }) => {
      const isMet = branches.get(text)
      return isMet === undefined ? [] : [{ ...range, insert: String(isMet) }]
    }),
  )
}
