import { contentComponents } from '../template/mjml-content.ts'
import type { Piece } from '../template/scan-liquid.ts'
import type { FoundElement } from './found-element.ts'
import type { SourceRange } from './template-tree.ts'

/**
 * Finds the placeholder modules between the components of MJML (`{{ module.footer }}`), which can be selected and moved
 * like components. Modules in texts, attributes and the head belong to these.
 * @param found components in document order
 */
export function findModuleRuns(found: readonly FoundElement[], pieces: readonly Piece[]): SourceRange[] {
  const runs: SourceRange[] = []
  const around: FoundElement[] = []
  let next = 0
  for (const { type, start, end, ...piece } of pieces) {
    if (type !== 'output' || !('content' in piece) || !/^\s*module\.\w+\s*$/.test(piece.content)) continue
    for (; next < found.length && found[next]!.range.from <= start; next++) {
      closeBefore(around, found[next]!.range.from)
      around.push(found[next]!)
    }
    closeBefore(around, start)
    if (isBetweenComponents(around, start)) runs.push({ from: start, to: end })
  }
  return runs
}

function closeBefore(around: FoundElement[], offset: number): void {
  while (around.length > 0 && around.at(-1)!.range.to <= offset) around.pop()
}

function isBetweenComponents(around: readonly FoundElement[], offset: number): boolean {
  const parent = around.at(-1)
  if (!parent) return true
  const isInside = offset >= parent.open.to && offset < (parent.close?.from ?? parent.range.to)
  return (
    isInside &&
    parent.name !== 'mjml' &&
    !contentComponents.has(parent.name) &&
    around.every(({ name }) => name !== 'mj-head')
  )
}
