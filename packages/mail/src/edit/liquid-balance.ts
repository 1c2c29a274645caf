import type { Piece } from '../template/scan-liquid.ts'
import type { SourceRange } from './template-tree.ts'

type Liquid = Exclude<Piece, { type: 'text' }>

/** Liquid of a source between two offsets. */
export function liquidWithin(pieces: readonly Piece[], { from, to }: SourceRange): Liquid[] {
  const within: Liquid[] = []
  for (let at = firstAt(pieces, from); at < pieces.length && pieces[at]!.start < to; at++) {
    const piece = pieces[at]!
    if (piece.type !== 'text') within.push(piece)
  }
  return within
}

/** Index of the first piece of Liquid at or after an offset, or the number of pieces. */
export function firstAt(pieces: readonly Piece[], offset: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle]!.start < offset) low = middle + 1
    else high = middle
  }
  return pieces[low]?.type === 'text' ? low + 1 : low
}

/** The last piece of Liquid that ends at or before an offset. */
export function lastBefore(pieces: readonly Piece[], offset: number): Liquid | null {
  for (let at = firstAt(pieces, offset) - 1; at >= 0; at--) {
    const piece = pieces[at]!
    if (piece.type !== 'text' && piece.end <= offset) return piece
  }
  return null
}

/** Returns the first tag whose block begins or ends outside of these pieces; null if every block is whole. */
export function findOpenBlock(within: readonly Liquid[]): Liquid | null {
  const open: Liquid[] = []
  for (const piece of within) {
    const role = blockRole(piece)
    if (role === 'open') open.push(piece)
    else if (role !== null && open.length === 0) return piece
    else if (role === 'end') open.pop()
  }
  return open[0] ?? null
}

/** Part of a tag in a block of Liquid, or of its Handlebars spelling (`{{#if x}}`); null if it has none. */
function blockRole(piece: Liquid): 'open' | 'branch' | 'end' | null {
  const content = piece.type === 'tag' ? piece.name : piece.content.trim()
  if (/^#?(?:if|unless|for|case|capture|tablerow)\b/.test(content) && isBlock(piece, content)) return 'open'
  if (/^(?:end[a-z]+$|\/)/.test(content)) return 'end'
  if (piece.type === 'tag') return /^(?:else|elsif|when)$/.test(content) ? 'branch' : null
  return /^else(?:\s+if\s.*)?$/s.test(content) ? 'branch' : null
}

/** Outputs need the "#". */
function isBlock(piece: Liquid, content: string): boolean {
  return piece.type === 'tag' || content.startsWith('#')
}
