import { countedMark, isCountedMark } from '../template/counted-mark.ts'
import { firstAt } from './liquid-balance.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, SourceRange, TemplateNode, TemplateTree } from './template-tree.ts'

const sections = new Set('mj-section mj-wrapper mj-hero table div section article'.split(' '))

/** Whether a node can be a counted section: it holds other blocks. */
export function canBeCounted(node: TemplateNode): node is ElementNode & { content: SourceRange } {
  return node.type === 'element' && sections.has(node.name) && node.content !== null
}

/** Whether a node is a counted section: who is shown none gets no mail. */
export function isCounted(tree: TemplateTree, node: TemplateNode): boolean {
  return canBeCounted(node) && markIn(tree, node.content) !== null
}

/** Makes a node a counted section, or an ordinary one; changes nothing in a node that cannot be one. */
export function setCounted(tree: TemplateTree, node: TemplateNode, counts: boolean): Patch[] {
  if (!canBeCounted(node)) return []
  const mark = markIn(tree, node.content)
  if (counts === (mark !== null)) return []
  const { from } = node.content
  return [mark ? { ...mark, insert: '' } : { from, to: from, insert: countedMark }]
}

/** The mark that begins a content. */
function markIn({ source, pieces }: TemplateTree, { from, to }: SourceRange): SourceRange | null {
  const piece = pieces[firstAt(pieces, from)]
  if (!piece || piece.end > to || source.slice(from, piece.start).trim() !== '') return null
  return isCountedMark(source.slice(piece.start, piece.end)) ? { from: piece.start, to: piece.end } : null
}
