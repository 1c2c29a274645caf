import { diff3Merge } from 'node-diff3'
import type { TextPart } from './merge-versions.ts'

/** Most pairs of equal lines that are compared: texts of very many equal lines are not merged. */
const MAX_PAIRS = 4_000_000

/**
 * Merges two texts with their common base by lines; null if that takes too long. Every line of the result is one of
 * the texts' lines, with its line end.
 */
export function mergeLines(base: string, mine: string, theirs: string): TextPart[] | null {
  const [baseLines, myLines, theirLines] = [base, mine, theirs].map(text => text.split('\n')) as [
    string[],
    string[],
    string[],
  ]
  if (pairs(baseLines, myLines) > MAX_PAIRS || pairs(baseLines, theirLines) > MAX_PAIRS) return null
  return diff3Merge(myLines, baseLines, theirLines).map(region =>
    region.conflict
      ? { line: region.conflict.aIndex + 1, mine: region.conflict.a, theirs: region.conflict.b }
      : { lines: region.ok ?? [] },
  )
}

/** Number of pairs of equal lines, which the comparison visits. */
function pairs(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + 1)
  let total = 0
  for (const line of right) total += counts.get(line) ?? 0
  return total
}
