import { applyPatch } from '../edit/patch.ts'
import type { ElementNode, TemplateNode, TemplateTree } from '../edit/template-tree.ts'
import { unclosedBefore, wholeText } from '../edit/whole-node.ts'
import type { RandomEdit } from './random-edit.ts'

/** Writes a template from the ranges of its tree: the source, if the ranges are complete. */
export function writeTree(tree: TemplateTree): string {
  return writeNodes(tree, tree.roots, 0, tree.source.length)
}

function writeNodes(tree: TemplateTree, nodes: readonly TemplateNode[], from: number, to: number): string {
  let text = ''
  let at = from
  for (const node of nodes) {
    text += tree.source.slice(at, node.range.from)
    text +=
      node.type === 'text' ? tree.source.slice(node.range.from, node.range.to) : writeElement(tree, node)
    at = node.range.to
  }
  return text + tree.source.slice(at, to)
}

function writeElement(
  tree: TemplateTree,
  { open, content, close, children, attributes }: ElementNode,
): string {
  let text = ''
  let at = open.from
  for (const { range } of attributes) {
    text += tree.source.slice(at, range.from) + tree.source.slice(range.from, range.to)
    at = range.to
  }
  text += tree.source.slice(at, open.to)
  if (content) text += writeNodes(tree, children, content.from, content.to)
  return text + (close ? tree.source.slice(close.from, close.to) : '')
}

/**
 * Returns what an edit changed outside of its node: text outside of its areas, or another node; null if nothing. It may
 * write the end tag of an element before.
 * @param after the tree of the changed source
 */
export function findForeignChange(
  before: TemplateTree,
  edit: RandomEdit,
  after: TemplateTree,
): string | null {
  const areas = [...edit.areas, ...edit.nodes.flatMap(node => unclosedBefore(before, node)?.range ?? [])]
  const isWithin = edit.patches.every(({ from, to }) =>
    areas.some(area => area.from <= from && to <= area.to),
  )
  if (!isWithin || applyPatch(before.source, edit.patches) !== after.source) return 'text'
  const texts = new Map(after.nodes.map(node => [node.id, wholeText(after, node)]))
  const around = new Set(edit.nodes.flatMap(ancestors))
  for (const node of before.nodes) {
    const { from, to } = node.range
    const isTouched = edit.patches.some(patch => patch.from < to && patch.to > from)
    if (node.type === 'text' || isTouched || around.has(node)) continue
    const text = wholeText(before, node)
    if (texts.get(node.id) !== text) return `node ${node.id}: ${text.slice(0, 80)}`
  }
  return null
}

function ancestors(node: TemplateNode): TemplateNode[] {
  return node.parent ? [node.parent, ...ancestors(node.parent)] : []
}
