import { createHash } from 'node:crypto'
import type { DocumentBody } from '@emma/contract/actions/documents.ts'

/** A leaf of a document's revision tree. One is the winner, which reads return; the others are conflicts. */
export interface Leaf {
  rev: string
  deleted: boolean
  body: DocumentBody
  /** Its revision, then those before it, newest first. */
  ancestry: string[]
}

/** Most revisions stored in a leaf's history. A replica that is further behind causes a conflict. */
const remembered = 200

/** The winning leaf by CouchDB's rule: existing before deleted, then the longer history, then the greater hash. */
export function winnerOf(leaves: readonly Leaf[]): Leaf | null {
  return leaves.toSorted(compareLeaves)[0] ?? null
}

function compareLeaves(a: Leaf, b: Leaf): number {
  if (a.deleted !== b.deleted) return a.deleted ? 1 : -1
  const generations = generationOf(b.rev) - generationOf(a.rev)
  if (generations !== 0) return generations
  return a.rev < b.rev ? 1 : -1
}

/** The leaf that follows `parent`. Its revision depends only on its content and parent, as in CouchDB. */
export function followUp(parent: Leaf | null, deleted: boolean, body: DocumentBody): Leaf {
  const generation = parent ? generationOf(parent.rev) + 1 : 1
  const hash = createHash('md5')
    .update(JSON.stringify([parent?.rev ?? null, deleted, sorted(body)]))
    .digest('hex')
  const rev = `${generation}-${hash}`
  return { rev, deleted, body, ancestry: [rev, ...(parent?.ancestry ?? [])].slice(0, remembered) }
}

/** Adds a replicated leaf with its history; returns the same array if its revision is known already. */
export function graft(leaves: readonly Leaf[], arrived: Leaf): readonly Leaf[] {
  if (leaves.some(leaf => leaf.ancestry.includes(arrived.rev))) return leaves
  return [...leaves.filter(leaf => !arrived.ancestry.includes(leaf.rev)), arrived]
}

/** Converts `{ start, ids }` to revisions, newest first. Inverse of `revisionsOf`. */
export function ancestryOf({ start, ids }: { start: number; ids: readonly string[] }): string[] {
  return ids.map((id, index) => `${start - index}-${id}`).slice(0, remembered)
}

/** Converts revisions to `{ start, ids }`, as `?revs=true` returns them. */
export function revisionsOf(ancestry: readonly string[]): { start: number; ids: string[] } {
  return {
    start: generationOf(ancestry[0] ?? '0-'),
    ids: ancestry.map(rev => rev.slice(rev.indexOf('-') + 1)),
  }
}

function generationOf(rev: string): number {
  return Number(rev.slice(0, rev.indexOf('-')))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}
