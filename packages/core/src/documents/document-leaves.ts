import { createHash } from 'node:crypto'
import type { Fields } from '../resource/operations.ts'

/** One end of a document's history. All but one are conflicts; the winner is what is read. */
export interface Leaf {
  rev: string
  deleted: boolean
  body: Fields
  /** Revisions it follows, itself first. */
  ancestry: string[]
}

/** Revisions remembered of a document: a copy that is further behind replicates as a conflict. */
const remembered = 200

/** The leaf that is read, by CouchDB's rule: living before deleted, then the longer history, then the greater hash. */
export function winnerOf(leaves: readonly Leaf[]): Leaf | null {
  return leaves.toSorted(compareLeaves)[0] ?? null
}

function compareLeaves(a: Leaf, b: Leaf): number {
  if (a.deleted !== b.deleted) return a.deleted ? 1 : -1
  const generations = generationOf(b.rev) - generationOf(a.rev)
  if (generations !== 0) return generations
  return a.rev < b.rev ? 1 : -1
}

/** The leaf that a change makes of `parent`. Its revision depends on what it holds alone, as in CouchDB. */
export function followUp(parent: Leaf | null, deleted: boolean, body: Fields): Leaf {
  const generation = parent ? generationOf(parent.rev) + 1 : 1
  const hash = createHash('md5')
    .update(JSON.stringify([parent?.rev ?? null, deleted, sorted(body)]))
    .digest('hex')
  const rev = `${generation}-${hash}`
  return { rev, deleted, body, ancestry: [rev, ...(parent?.ancestry ?? [])].slice(0, remembered) }
}

/** Leaves after one arrived from elsewhere with its own history; the same array when there is nothing new in it. */
export function graft(leaves: readonly Leaf[], arrived: Leaf): readonly Leaf[] {
  if (leaves.some(leaf => leaf.ancestry.includes(arrived.rev))) return leaves
  return [...leaves.filter(leaf => !arrived.ancestry.includes(leaf.rev)), arrived]
}

/** `{ start, ids }` as revisions, newest first. */
export function ancestryOf({ start, ids }: { start: number; ids: readonly string[] }): string[] {
  return ids.map((id, index) => `${start - index}-${id}`).slice(0, remembered)
}

/** The reverse: what `?revs=true` shows. */
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
