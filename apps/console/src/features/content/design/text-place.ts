import type { ElementNode, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'

/** Components of MJML whose content is text. */
const textComponents = new Set([
  'mj-text',
  'mj-button',
  'mj-navbar-link',
  'mj-social-element',
  'mj-accordion-title',
  'mj-accordion-text',
])

/** Elements of HTML that belong to a text. */
const inlineElements = new Set(
  'a abbr b bdi bdo big br cite code del em font i ins kbd mark q s small span strike strong sub sup time u var wbr'.split(
    ' ',
  ),
)

/** Returns the node whose content is edited as text when this node is; null if it has none. */
export function textNodeOf({ format }: TemplateTree, node: TemplateNode): ElementNode | null {
  if (format === 'mjml') return node.type === 'element' && textComponents.has(node.name) ? node : null
  let block = node.type === 'text' ? node.parent : node
  while (block?.parent && inlineElements.has(block.name)) block = block.parent
  return block && isText(block) ? block : null
}

/** True if an element holds text and elements that belong to text alone. */
function isText(node: ElementNode): boolean {
  const isInline = (one: TemplateNode): boolean =>
    one.type === 'text' || (inlineElements.has(one.name) && one.children.every(isInline))
  return node.children.length > 0 && node.children.every(isInline)
}

/** Returns the element of the canvas that holds the text of a component, inside of the component's own element. */
export function textElementIn(element: Element, { name }: ElementNode): Element {
  if (name === 'mj-text') return element.querySelector(':scope > div') ?? element
  if (name === 'mj-button') return element.querySelector('a, p') ?? element
  if (name === 'mj-social-element')
    return element.querySelector('td:last-child a, td:last-child span') ?? element
  return element
}
