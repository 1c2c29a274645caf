import { mailFault } from '../mail-fault.ts'
import { decodeEntities } from '../template/html-entities.ts'
import { EditError } from './edit-error.ts'
import { type Patch, replaceRange } from './patch.ts'
import { scanPieces } from './scan-source.ts'
import type { ElementNode, NodeAttribute, TemplateTree } from './template-tree.ts'

/** Returns the value of an attribute, entities decoded and Liquid as written; '' without a value, null without it. */
export function attributeValue({ source }: TemplateTree, node: ElementNode, name: string): string | null {
  const one = findAttribute(node, name)
  if (!one) return null
  return one.value ? decoded(source.slice(one.value.from, one.value.to)) : ''
}

/**
 * Adds, changes or removes an attribute. Its quotes stay; all other attributes and the white space between them too.
 * @param value as text: it is escaped where necessary, Liquid in it is not; null removes the attribute
 * @throws EditError if the name is not possible, or if the attribute occurs twice (in branches of a condition)
 */
export function setAttribute(
  tree: TemplateTree,
  node: ElementNode,
  name: string,
  value: string | null,
): Patch[] {
  if (!/^[a-z_:][\w.:-]*$/i.test(name)) throw new EditError(mailFault('content.edit_attribute', { name }))
  const same = node.attributes.filter(one => one.name === name)
  if (same.length > 1) throw new EditError(mailFault('content.edit_attribute_twice', { name }))
  const [one] = same
  if (!one) return value === null ? [] : [addAttribute(tree, node, name, value)]
  if (value === null) return [removeAttribute(tree.source, one)]
  return changeValue(tree.source, one, value)
}

function findAttribute(node: ElementNode, name: string): NodeAttribute | undefined {
  return node.attributes.find(one => one.name === name)
}

function addAttribute(tree: TemplateTree, node: ElementNode, name: string, value: string): Patch {
  const at = node.attributes.at(-1)?.range.to ?? tagNameEnd(tree, node)
  return { from: at, to: at, insert: ` ${name}="${escaped(value, '"')}"` }
}

/** Offset after the name of the open tag; Liquid directly after it belongs to the name. */
export function tagNameEnd({ masked }: TemplateTree, { open }: ElementNode): number {
  const end = masked.slice(open.from + 1, open.to).search(/[\s/>]/)
  return open.from + 1 + Math.max(end, 0)
}

function removeAttribute(source: string, { range }: NodeAttribute): Patch {
  let from = range.from
  while (/\s/.test(source[from - 1] ?? '')) from--
  return { from, to: range.to, insert: '' }
}

function changeValue(source: string, { range, value: old }: NodeAttribute, value: string): Patch[] {
  if (!old) return value === '' ? [] : [{ from: range.to, to: range.to, insert: `="${escaped(value, '"')}"` }]
  const before = source.slice(old.from, old.to)
  if (decoded(before) === value) return []
  if (old.quote !== '') return replaceRange(source, old.from, old.to, escaped(value, old.quote))
  const isSafe = /^[^\s"'`=<>]*[^\s"'`=<>/]$/.test(value)
  const text = isSafe ? escaped(value, '"') : `"${escaped(value, '"')}"`
  return replaceRange(source, old.from, old.to, text)
}

function decoded(text: string): string {
  return outsideLiquid(text, decodeEntities)
}

/** Escapes a value, but "&" only where it would begin an entity: URLs keep the spelling of their author. */
function escaped(value: string, quote: '"' | "'"): string {
  return outsideLiquid(value, text => {
    const short = escapedPart(text, quote)
    return decodeEntities(short) === text ? short : escapedPart(text.replaceAll('&', '&amp;'), quote)
  })
}

function escapedPart(text: string, quote: '"' | "'"): string {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(quote, quote === '"' ? '&quot;' : '&#39;')
}

function outsideLiquid(text: string, change: (part: string) => string): string {
  return scanPieces(text)
    .map(({ type, start, end }) =>
      type === 'text' ? change(text.slice(start, end)) : text.slice(start, end),
    )
    .join('')
}
