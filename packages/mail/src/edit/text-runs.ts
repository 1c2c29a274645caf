import { tokenizeHtml } from '../template/html-tokens.ts'
import { mask, type Piece } from '../template/scan-liquid.ts'
import type { SourceRange } from './template-tree.ts'

/**
 * Finds the runs of text in HTML, without the white space around them: text with its placeholders, between two tags or
 * comments. White space and tags of Liquid alone are no text.
 * @param pieces of the source
 */
export function findTextRuns(masked: string, pieces: readonly Piece[]): SourceRange[] {
  const runs: SourceRange[] = []
  const liquid = pieces.filter(piece => piece.type !== 'text')
  let at = 0
  for (const token of tokenizeHtml(masked)) {
    if (token.type !== 'text' || token.raw || token.conditional) continue
    const text = masked.slice(token.start, token.end)
    const trimmed = text.trim()
    if (trimmed === '') continue
    const from = token.start + text.indexOf(trimmed)
    while (at < liquid.length && liquid[at]!.end <= from) at++
    if (isShown(masked, { from, to: from + trimmed.length }, liquid, at))
      runs.push({ from, to: from + trimmed.length })
  }
  return runs
}

function isShown(
  masked: string,
  { from, to }: SourceRange,
  liquid: readonly Piece[],
  first: number,
): boolean {
  for (let at = first; at < liquid.length && liquid[at]!.start < to; at++)
    if (liquid[at]!.type === 'output') return true
  return masked.slice(from, to).replaceAll(mask, '').trim() !== ''
}
