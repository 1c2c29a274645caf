import { contentComponents } from '../template/mjml-content.ts'
import type { Piece } from '../template/scan-liquid.ts'
import type { FoundElement } from './found-element.ts'
import type { SourceRange, TemplateNode, TemplateTree } from './template-tree.ts'

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
    if (type !== 'output' || !('content' in piece) || moduleIn(piece.content) === null) continue
    for (; next < found.length && found[next]!.range.from <= start; next++) {
      closeBefore(around, found[next]!.range.from)
      around.push(found[next]!)
    }
    closeBefore(around, start)
    if (isBetweenComponents(around, start)) runs.push({ from: start, to: end })
  }
  return runs
}

/** Name of the module that a node inserts; null for all other nodes. */
export function moduleAt({ source }: TemplateTree, node: TemplateNode): string | null {
  return node.type === 'text' ? moduleOf(source.slice(node.range.from, node.range.to)) : null
}

/** The first node of a template that inserts the module of a node: its components have the mark of that one. */
export function markedRun(tree: TemplateTree, node: TemplateNode): TemplateNode | null {
  const name = moduleAt(tree, node)
  return name === null ? null : (tree.nodes.find(one => moduleAt(tree, one) === name) ?? null)
}

/** Name of the module that a source inserts, and nothing else. */
export function moduleOf(source: string): string | null {
  return source.startsWith('{{') && source.endsWith('}}') ? moduleIn(source.slice(2, -2)) : null
}

/** Name of the module that an output of Liquid inserts. */
export function moduleIn(content: string): string | null {
  return /^\s*module\.(\w+)\s*$/.exec(content)?.[1] ?? null
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
