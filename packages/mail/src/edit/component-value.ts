import { attributeValue } from './attributes.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

/**
 * Returns a function for the value of a component's attribute as MJML finds it: its own, that of its classes, that of
 * `<mj-attributes>` for its name, and for all; null if none has it.
 */
export function readComponentValues(tree: TemplateTree): (node: ElementNode, name: string) => string | null {
  const ofTag = new Map<string, ElementNode[]>()
  const ofClass = new Map<string, ElementNode[]>()
  for (const node of tree.nodes) {
    if (node.type !== 'element' || node.parent?.name !== 'mj-attributes') continue
    const [list, key] =
      node.name === 'mj-class' ? [ofClass, attributeValue(tree, node, 'name') ?? ''] : [ofTag, node.name]
    list.set(key, [...(list.get(key) ?? []), node])
  }
  const lastOf = (nodes: readonly ElementNode[] | undefined, name: string) =>
    nodes?.map(node => attributeValue(tree, node, name)).findLast(value => value !== null) ?? null
  return (node, name) =>
    attributeValue(tree, node, name) ??
    (attributeValue(tree, node, 'mj-class') ?? '')
      .split(/\s+/)
      .map(className => lastOf(ofClass.get(className), name))
      .findLast(value => value !== null) ??
    lastOf(ofTag.get(node.name), name) ??
    lastOf(ofTag.get('mj-all'), name)
}
