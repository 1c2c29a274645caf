import { mailFault } from '../mail-fault.ts'
import { EditError } from './edit-error.ts'
import { findOpenBlock, liquidWithin } from './liquid-balance.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, SourceRange, TemplateNode, TemplateTree } from './template-tree.ts'

/**
 * Asserts that a node, or another range, can be moved, copied or removed as a whole.
 * @throws EditError if a condition or loop begins or ends inside of it only
 */
export function assertWhole({ source, pieces }: TemplateTree, { range }: Pick<TemplateNode, 'range'>): void {
  const open = findOpenBlock(liquidWithin(pieces, range))
  if (!open) return
  throw new EditError(mailFault('content.edit_part', { text: source.slice(open.start, open.end) }))
}

/** The source of a node for another place, where its end tag cannot be omitted. */
export function wholeText({ source }: TemplateTree, node: TemplateNode): string {
  const { range } = node
  return isUnclosed(node)
    ? `${source.slice(range.from, range.to).trimEnd()}</${node.name}>`
    : source.slice(range.from, range.to)
}

/** True for an element whose end tag is omitted: what follows it can come to be inside of it. */
export function isUnclosed(node: TemplateNode | undefined): node is ElementNode {
  return node?.type === 'element' && node.content !== null && node.close === null
}

/** End of a node, before the white space at the end of an unclosed element. */
export function endOf({ source }: TemplateTree, node: TemplateNode): number {
  const { from, to } = node.range
  return isUnclosed(node) ? from + source.slice(from, to).trimEnd().length : to
}

/**
 * Returns the patch that writes the omitted end tag of the element before a node: `<li>a<li>b`. None if there is no
 * such element.
 * @throws EditError if a condition ends in the element before
 */
export function closeBefore(tree: TemplateTree, node: TemplateNode): Patch[] {
  const before = unclosedBefore(tree, node)
  if (!before) return []
  assertWhole(tree, before)
  const at = endOf(tree, before)
  return [{ from: at, to: at, insert: `</${before.name}>` }]
}

/** The unclosed element that ends where a node begins. */
export function unclosedBefore({ roots }: TemplateTree, node: TemplateNode): ElementNode | null {
  const siblings = node.parent?.children ?? roots
  const before = siblings[siblings.indexOf(node) - 1]
  return isUnclosed(before) && before.range.to === node.range.from ? before : null
}

/**
 * The range that goes with a node: its lines if it has them for itself (with the line end before), otherwise the node
 * alone. White space of a `<pre>` is content.
 */
export function blockRange({ source }: TemplateTree, node: TemplateNode): SourceRange {
  const { from, to } = node.range
  const indent = lineIndent(source, node)
  if (indent === null) return node.range
  const after = /^[^\S\r\n]*(?=\r?\n|$)/.exec(source.slice(to, to + MAX_INDENT))?.[0].length
  if (after === undefined) return node.range
  const start = from - indent.length
  if (start === 0) {
    const end = /^\r?\n/.exec(source.slice(to + after, to + after + 2))?.[0].length ?? 0
    return { from: 0, to: to + after + end }
  }
  return { from: start - (source[start - 2] === '\r' ? 2 : 1), to: to + after }
}

/** White space before a node that begins its line; null if something else does. */
export function lineIndent(source: string, node: TemplateNode): string | null {
  const { from } = node.range
  let start = from
  while (start > 0 && from - start < MAX_INDENT && /[^\S\r\n]/.test(source[start - 1]!)) start--
  if (start > 0 && source[start - 1] !== '\n') return null
  return isPreformatted(node) ? null : source.slice(start, from)
}

const MAX_INDENT = 1_000

function isPreformatted(node: TemplateNode): boolean {
  for (let around = node.parent; around; around = around.parent) if (around.name === 'pre') return true
  return false
}

/** The line end that a source uses. */
export function lineEndOf(source: string): '\n' | '\r\n' {
  const first = source.indexOf('\n')
  return first > 0 && source[first - 1] === '\r' ? '\r\n' : '\n'
}
