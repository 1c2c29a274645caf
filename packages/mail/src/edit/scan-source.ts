import { TokenizationError } from 'liquidjs'
import { maskLiquid, type Piece, scanLiquid } from '../template/scan-liquid.ts'

/** A source with its Liquid found. Both copies have the offsets of the source. */
export interface ScannedSource {
  pieces: readonly Piece[]
  /** See `maskLiquid`. */
  masked: string
  /** Liquid replaced by spaces, which change no structure: other characters would end the head of an HTML document. */
  blank: string
}

/** Finds the Liquid of a source. While a placeholder is not closed yet, only closed ones are found. */
export function scanSource(source: string): ScannedSource {
  const pieces = scanPieces(source)
  const masked = maskLiquid(source, pieces)
  let blank = ''
  for (const { type, start, end } of pieces)
    blank += type === 'text' ? masked.slice(start, end) : ' '.repeat(end - start)
  return { pieces, masked, blank }
}

export function scanPieces(source: string): readonly Piece[] {
  try {
    return scanLiquid(source)
  } catch (error) {
    if (error instanceof TokenizationError) return closedPieces(source)
    throw error
  }
}

/** Pairs each closing bracket with the opening one directly before it. */
function closedPieces(source: string): Piece[] {
  const pieces: Piece[] = []
  let opener: { bracket: string; start: number } | null = null
  let at = 0
  for (const { 0: bracket, index } of source.matchAll(/\{\{|\{%|\}\}|%\}/g)) {
    if (bracket.startsWith('{')) {
      opener = { bracket, start: index }
      continue
    }
    const isPair = opener && (bracket === '}}' ? '{{' : '{%') === opener.bracket
    if (!opener || !isPair) continue
    const { start } = opener
    const end = index + 2
    const content = source.slice(start + 2, index)
    if (start > at) pieces.push({ type: 'text', start: at, end: start })
    if (bracket === '}}') pieces.push({ type: 'output', start, end, content })
    else pieces.push({ type: 'tag', start, end, content, name: /\w+/.exec(content)?.[0] ?? '' })
    at = end
    opener = null
  }
  if (at < source.length) pieces.push({ type: 'text', start: at, end: source.length })
  return pieces
}
