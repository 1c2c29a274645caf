import { mailFault } from '../mail-fault.ts'
import { setContent } from './blocks.ts'
import { EditError } from './edit-error.ts'
import { parseTemplate } from './parse-template.ts'
import { applyPatch, type Patch } from './patch.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

/**
 * Replaces what is inside of an element by code that was typed.
 * @throws EditError if the element cannot have content, or if a tag or comment of the code would reach beyond it
 */
export function setCode(tree: TemplateTree, node: ElementNode, code: string): Patch[] {
  const patches = setContent(tree, node, code)
  const source = applyPatch(tree.source, patches)
  const changed = parseTemplate(source, { format: tree.format, previous: tree, patches })
  const now = changed.type === 'tree' ? changed.nodes.find(({ id }) => id === node.id) : undefined
  const isKept =
    changed.type === 'tree' &&
    now?.type === 'element' &&
    codeOf(changed, now) === code &&
    nodesBeside(changed, now) === nodesBeside(tree, node)
  if (!isKept) throw new EditError(mailFault('content.edit_unclosed'))
  return patches
}

/** What is inside of an element; empty if it has no content. */
export function codeOf({ source }: TemplateTree, { content }: ElementNode): string {
  return content ? source.slice(content.from, content.to) : ''
}

/** Number of nodes that are not inside of an element. */
function nodesBeside({ nodes }: TemplateTree, { index, range }: ElementNode): number {
  let next = index + 1
  while (next < nodes.length && nodes[next]!.range.from < range.to) next++
  return nodes.length - (next - index - 1)
}
