import type { Place } from '@emma/mail/edit/blocks.ts'
import type { ElementNode, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'

/**
 * Returns where a dragged block would be dropped: beside a node that is where it could be (in MJML inside of an equal
 * container, in HTML among its siblings), or into an empty container. Null: nowhere.
 *
 * @param isAfter whether the pointer is in the second half of a node
 */
export function landingFor(
  { format }: TemplateTree,
  dragged: TemplateNode,
  under: TemplateNode,
  isAfter: (node: TemplateNode) => boolean,
): Place | null {
  const container = dragged.parent
  if (!container || isInside(under, dragged)) return null
  for (let node: TemplateNode | null = under; node; node = node.parent) {
    const fits = format === 'mjml' ? node.parent?.name === container.name : node.parent === container
    if (fits) return { side: isAfter(node) ? 'after' : 'before', node }
    if (format === 'mjml' && isEmptyElement(node, container.name)) return { side: 'last', node }
  }
  return null
}

function isEmptyElement(node: TemplateNode, name: string): node is ElementNode {
  return node.type === 'element' && node.name === name && node.children.length === 0
}

function isInside(node: TemplateNode, outer: TemplateNode): boolean {
  for (let one: TemplateNode | null = node; one; one = one.parent) if (one === outer) return true
  return false
}
