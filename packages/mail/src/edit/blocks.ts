import { mailFault } from '../mail-fault.ts'
import { EditError } from './edit-error.ts'
import { type Patch, replaceRange } from './patch.ts'
import type { ElementNode, TemplateNode, TemplateTree } from './template-tree.ts'
import {
  assertWhole,
  blockRange,
  closeBefore,
  endOf,
  isUnclosed,
  lineEndOf,
  lineIndent,
  unclosedBefore,
  wholeText,
} from './whole-node.ts'

/** Where a block goes: beside a node, or first or last inside of one. */
export type Place =
  | { side: 'before' | 'after'; node: TemplateNode }
  | { side: 'first' | 'last'; node: ElementNode }

/**
 * Replaces what is inside of a node: source text, not escaped. A text node is replaced as a whole.
 * @throws EditError if the element cannot have content
 */
export function setContent(tree: TemplateTree, node: TemplateNode, content: string): Patch[] {
  const { source } = tree
  if (node.type === 'text') return replaceRange(source, node.range.from, node.range.to, content)
  if (!node.content) return content === '' ? [] : [openedElement(tree, node, content)]
  return replaceRange(source, node.content.from, node.content.to, content)
}

/**
 * Inserts source text, on a line of its own where its neighbour has one, with the line ends of the template.
 * @throws EditError if the element cannot have content
 */
export function insert(tree: TemplateTree, place: Place, text: string): Patch[] {
  if (text === '') return []
  const lineEnd = lineEndOf(tree.source)
  return insertion(tree, place, text.replaceAll(/\r?\n/g, lineEnd))
}

/**
 * Moves a node with the lines it has for itself. Its text stays as it is, but for an end tag that was omitted.
 * @throws EditError if the node holds only a part of a condition, or would get into itself
 */
export function move(tree: TemplateTree, node: TemplateNode, place: Place): Patch[] {
  if (staysThere(tree, node, place)) return []
  for (let around: TemplateNode | null = place.node; around; around = around.parent)
    if (around === node) throw new EditError(mailFault('content.edit_itself'))
  const removed = remove(tree, node)
  const inserted = insertion(tree, place, wholeText(tree, node))
  const patches = [...inserted, ...removed].toSorted((a, b) => a.from - b.from || a.to - b.to)
  // The end tag of the element before the node may belong to its old and its new place.
  return patches.filter(({ from, to, insert: tag }, index) => {
    const before = patches[index - 1]
    return !(from === to && before?.from === from && before.to === to && before.insert.startsWith(tag))
  })
}

/**
 * Inserts a copy of a node after it.
 * @throws EditError if the node holds only a part of a condition
 */
export function duplicate(tree: TemplateTree, node: TemplateNode): Patch[] {
  assertWhole(tree, node)
  return insertion(tree, { side: 'after', node }, wholeText(tree, node))
}

/**
 * Removes a node with the lines it has for itself.
 * @throws EditError if the node holds only a part of a condition
 */
export function remove(tree: TemplateTree, node: TemplateNode): Patch[] {
  assertWhole(tree, node)
  const before = unclosedBefore(tree, node)
  // Whatever ends this element ends an equal one before it too.
  const isEnded = isUnclosed(node) && before?.name === node.name
  return [...(isEnded ? [] : closeBefore(tree, node)), { ...blockRange(tree, node), insert: '' }]
}

/** @throws EditError if a condition ends in an unclosed element before the place */
function insertion(tree: TemplateTree, place: Place, text: string): Patch[] {
  if (place.side === 'first' || place.side === 'last') return insertionInside(tree, place, text)
  const { node, side } = place
  const indent = lineIndent(tree.source, node)
  const gap = indent === null ? '' : lineEndOf(tree.source) + indent
  if (side === 'before') return [...closeBefore(tree, node), at(node.range.from, text + gap)]
  if (!isUnclosed(node)) return [at(node.range.to, gap + text)]
  assertWhole(tree, node)
  return [at(endOf(tree, node), `</${node.name}>${gap}${text}`)]
}

function insertionInside(
  tree: TemplateTree,
  { node, side }: { node: ElementNode; side: 'first' | 'last' },
  text: string,
): Patch[] {
  if (!node.content) return [openedElement(tree, node, text)]
  const next = side === 'first' ? node.children[0] : node.children.at(-1)
  if (next) return insertion(tree, { side: side === 'first' ? 'before' : 'after', node: next }, text)
  return [at(side === 'first' ? node.content.from : (node.close?.from ?? endOf(tree, node)), text)]
}

function at(offset: number, text: string): Patch {
  return { from: offset, to: offset, insert: text }
}

/** Writes `<x/>` as `<x>…</x>`. */
function openedElement({ source, format }: TemplateTree, node: ElementNode, content: string): Patch {
  const tag = source.slice(node.open.from, node.open.to)
  const slash = /\s*\/>$/.exec(tag)
  if (format !== 'mjml' || !slash) throw new EditError(mailFault('content.edit_void', { tag: node.name }))
  const from = node.open.from + slash.index
  return { from, to: node.open.to, insert: `>${content}</${node.name}>` }
}

/** True if a node would come to where it already is. */
function staysThere({ roots }: TemplateTree, node: TemplateNode, { side, node: target }: Place): boolean {
  const isInside = side === 'first' || side === 'last'
  const parent = isInside ? target : target.parent
  if (target !== node && parent !== node.parent) return false
  const siblings = node.parent?.children ?? roots
  const position = siblings.indexOf(node)
  if (side === 'first') return position === 0
  if (side === 'last') return position === siblings.length - 1
  if (target === node) return true
  return siblings[side === 'before' ? position + 1 : position - 1] === target
}
