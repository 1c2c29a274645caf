import { insert, type Place } from './blocks.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

/** Inserts text at the end of a mail, as a section of MJML or a paragraph of HTML; none if there is no place for it. */
export function addFooter(tree: TemplateTree, content: string): Patch[] {
  const text =
    tree.format === 'mjml'
      ? `<mj-section><mj-column><mj-text align="center" font-size="12px">${content}</mj-text></mj-column></mj-section>`
      : `<p style="text-align:center;font-size:12px">${content}</p>`
  const place = endOfMail(tree)
  return place ? insert(tree, place, text) : []
}

function endOfMail({ format, nodes, roots }: TemplateTree): Place | null {
  const body = nodes.find(
    (node): node is ElementNode =>
      node.type === 'element' && node.name === (format === 'mjml' ? 'mj-body' : 'body'),
  )
  if (body) return { side: 'last', node: body }
  const last = roots.at(-1)
  return format === 'html' && last ? { side: 'after', node: last } : null
}
