import { mailFault } from '../mail-fault.ts'
import type { Piece } from '../template/scan-liquid.ts'
import { EditError } from './edit-error.ts'
import { findOpenBlock, firstAt, lastBefore, liquidWithin } from './liquid-balance.ts'
import { type Patch, replaceRange } from './patch.ts'
import { scanPieces } from './scan-source.ts'
import type { SourceRange, TemplateNode, TemplateTree } from './template-tree.ts'
import { assertWhole, closeBefore, endOf, isUnclosed, lineEndOf, lineIndent } from './whole-node.ts'

/** A condition around one node: `{% if … %}`, the node, `{% endif %}`, without other branches. */
export interface NodeCondition {
  /** As written, without `if`. */
  condition: string
  /** Of the condition's text in the source. */
  range: SourceRange
  open: SourceRange
  close: SourceRange
}

/**
 * Puts `{% if condition %}` and `{% endif %}` around a node, on lines of their own if the node has one.
 * @throws EditError if the condition is none, or the node holds only a part of another one
 */
export function wrapInCondition(tree: TemplateTree, node: TemplateNode, condition: string): Patch[] {
  assertWhole(tree, node)
  const text = conditionText(condition)
  const indent = lineIndent(tree.source, node)
  const gap = indent === null ? '' : lineEndOf(tree.source) + indent
  const end = endOf(tree, node)
  const endTag = isUnclosed(node) ? `</${node.name}>` : ''
  return [
    ...closeBefore(tree, node),
    { from: node.range.from, to: node.range.from, insert: `{% if ${text} %}${gap}` },
    { from: end, to: end, insert: `${endTag}${gap}{% endif %}` },
  ]
}

/**
 * Changes the condition around a node.
 * @throws EditError if there is none around it, or the new one is none
 */
export function changeCondition(tree: TemplateTree, node: TemplateNode, condition: string): Patch[] {
  const text = conditionText(condition)
  const { range } = ownCondition(tree, node)
  return replaceRange(tree.source, range.from, range.to, text)
}

/**
 * Removes the condition around a node, with the white space between them: the inverse of `wrapInCondition`.
 * @throws EditError if there is none around it
 */
export function unwrapCondition(tree: TemplateTree, node: TemplateNode): Patch[] {
  const { open, close } = ownCondition(tree, node)
  const { from, to } = node.range
  return [
    { from: open.from, to: from, insert: '' },
    { from: to, to: close.to, insert: '' },
  ]
}

/** Finds the condition that holds a node and nothing else; null if there is none. */
export function conditionOf({ source, pieces }: TemplateTree, node: TemplateNode): NodeCondition | null {
  const { from, to } = node.range
  const before = lastBefore(pieces, from)
  const after = pieces[firstAt(pieces, to)]
  if (before?.type !== 'tag' || before.name !== 'if' || after?.type !== 'tag' || after.name !== 'endif')
    return null
  const isAlone = source.slice(before.end, from).trim() === '' && source.slice(to, after.start).trim() === ''
  if (!isAlone || findOpenBlock(liquidWithin(pieces, node.range)) !== null) return null
  const range = conditionRange(source, before)
  return {
    condition: source.slice(range.from, range.to),
    range,
    open: { from: before.start, to: before.end },
    close: { from: after.start, to: after.end },
  }
}

/** Conditions of all `if`, `elsif` and `unless` tags of a source, in order. */
export function conditionsOf(
  source: string,
  pieces: readonly Piece[],
): { text: string; range: SourceRange }[] {
  return pieces.flatMap(piece => {
    if (piece.type !== 'tag' || !conditionTags.has(piece.name)) return []
    const range = conditionRange(source, piece)
    return range.from === range.to ? [] : [{ text: source.slice(range.from, range.to), range }]
  })
}

const conditionTags = new Set(['if', 'elsif', 'unless'])

/** Range of the text between `{% if` and `%}`. */
function conditionRange(source: string, { name, start, end }: Extract<Piece, { type: 'tag' }>): SourceRange {
  const tag = source.slice(start, end)
  const from = tag.indexOf(name) + name.length
  const inside = tag.slice(from, tag.endsWith('-%}') ? -3 : -2)
  const text = inside.trim()
  const at = start + from + inside.indexOf(text)
  return { from: at, to: at + text.length }
}

function ownCondition(tree: TemplateTree, node: TemplateNode): NodeCondition {
  const condition = conditionOf(tree, node)
  if (condition) return condition
  throw new EditError(mailFault('content.edit_no_condition'))
}

function conditionText(condition: string): string {
  const text = condition.trim()
  const tag = `{% if ${text} %}`
  const [piece] = scanPieces(tag)
  if (text !== '' && !/\{[{%]|[%}]\}/.test(text) && piece?.type === 'tag' && piece.end === tag.length)
    return text
  throw new EditError(mailFault('content.edit_condition', { text }))
}
