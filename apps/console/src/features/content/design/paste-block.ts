import { insert, type Place } from '@emma/mail/edit/blocks.ts'
import { EditError, editError } from '@emma/mail/edit/edit-error.ts'
import { moduleOf } from '@emma/mail/edit/module-runs.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import type { Patch } from '@emma/mail/edit/patch.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { assertWhole, wholeText } from '@emma/mail/edit/whole-node.ts'
import { escapeHtml } from '@emma/mail/template/value-text.ts'
import { contentBlock, htmlPlace, newBlock, type NewBlock, sectionPlace, sectionWith } from './blocks.ts'

/** The longest text that is pasted, in UTF-16 units. */
export const maxPasted = 1_000_000

/**
 * Returns the source of a block for the clipboard.
 * @throws EditError if the block holds only a part of a condition
 */
export function copyBlock(tree: TemplateTree, node: TemplateNode): string {
  assertWhole(tree, node)
  return wholeText(tree, node)
}

/**
 * Inserts blocks of the template's format where they fit near the selected node; plain text becomes a text block.
 * @throws EditError if the text is too long, holds no block or a part of a condition, or has no place here
 */
export function pasteBlock(tree: TemplateTree, selected: TemplateNode | null, clipboard: string): Patch[] {
  const source = clipboard.trim()
  if (source === '') throw editError('content.paste_none')
  if (source.length > maxPasted)
    throw editError('content.paste_long', { max: maxPasted.toLocaleString('en') })
  const isText = !/<[a-z!/]/i.test(source)
  const around = tree.format === 'html' ? contextOf(source) : ''
  const pasted = parseTemplate(around + source, { format: isText ? 'html' : tree.format })
  if (pasted.type === 'code') throw new EditError(pasted.reason)
  assertWhole(pasted, { range: { from: 0, to: pasted.source.length } })
  const isSynced = tree.format === 'mjml' && moduleOf(source) !== null
  const place = isSynced ? sectionPlace(tree, selected) : null
  if (place) return insert(tree, place, source)
  if (isText) return pasteText(tree, selected, pasted)
  const names = pasted.nodes.filter(node => isOutermost(node, around.length)).map(nameOf)
  if (names.length === 0) throw editError('content.paste_none')
  const block = (tree.format === 'mjml' ? mjmlAt : htmlAt)(tree, selected, { source, names })
  if (!block) throw editError('content.paste_place', { tag: names[0]! })
  return insert(tree, block.place, block.source)
}

/** Blocks of a clipboard: their source, and the names of the outermost elements. */
interface Pasted {
  source: string
  names: readonly string[]
}

/** Start tags without which HTML has no rows and cells. */
function contextOf(source: string): string {
  const [, first = ''] = /^<([a-z]+)/i.exec(source) ?? []
  const name = first.toLowerCase()
  if (name === 'td' || name === 'th') return '<table><tr>'
  return htmlParents[name] === tableParts ? '<table>' : ''
}

function isOutermost({ range, parent }: TemplateNode, start: number): boolean {
  return range.from >= start && (parent === null || parent.range.from < start)
}

function pasteText(tree: TemplateTree, selected: TemplateNode | null, pasted: TemplateTree): Patch[] {
  const block = newBlock(tree, selected, 'text', { heading: '', text: textSource(pasted), button: '' })
  if (!block) throw editError('content.paste_place', { tag: tree.format === 'mjml' ? 'mj-text' : 'p' })
  return insert(tree, block.place, block.source)
}

/** Text as source: placeholders stay as they are. */
function textSource({ source, pieces }: TemplateTree): string {
  const parts = pieces.map(piece => {
    const part = source.slice(piece.start, piece.end)
    return piece.type === 'text' ? escapeHtml(part).replaceAll(/\r?\n/g, '<br />\n') : part
  })
  return parts.join('')
}

function mjmlAt(
  tree: TemplateTree,
  selected: TemplateNode | null,
  { source, names }: Pasted,
): NewBlock | null {
  const parents = names
    .map(name => mjmlParents[name] ?? [])
    .reduce((all, one) => all.filter(name => one.includes(name)))
  const near = placeIn(selected, parents)
  if (near) return { place: near, source }
  if (parents.includes('mj-column')) return contentBlock(tree, selected, source)
  const place = sectionPlace(tree, selected)
  if (place && parents.includes('mj-body')) return { place, source }
  if (place && parents.includes('mj-section')) return { place, source: sectionWith([source]) }
  return null
}

const containers = ['mj-column', 'mj-hero']
const bodies = ['mj-body', 'mj-wrapper']

/** Components that may be around a component of MJML. */
const mjmlParents: Readonly<Record<string, readonly string[]>> = {
  'mj-wrapper': ['mj-body'],
  'mj-section': bodies,
  'mj-hero': bodies,
  'mj-group': ['mj-section'],
  'mj-column': ['mj-section', 'mj-group'],
  'mj-raw': [...containers, ...bodies, 'mj-section', 'mj-group'],
  'mj-accordion-element': ['mj-accordion'],
  'mj-carousel-image': ['mj-carousel'],
  'mj-navbar-link': ['mj-navbar'],
  'mj-social-element': ['mj-social'],
  ...Object.fromEntries(
    [
      'accordion',
      'button',
      'carousel',
      'divider',
      'image',
      'navbar',
      'social',
      'spacer',
      'table',
      'text',
    ].map(name => [`mj-${name}`, containers]),
  ),
}

function htmlAt(
  tree: TemplateTree,
  selected: TemplateNode | null,
  { source, names }: Pasted,
): NewBlock | null {
  if (names.some(name => name.startsWith('mj-') || documentElements.has(name))) return null
  const [parents, ...others] = names.map(name => htmlParents[name])
  if (others.some(other => other !== parents)) return null
  const isInline = names.every(name => inlineElements.has(name)) && inlineElements.has(nameOf(selected))
  const place = parents
    ? placeIn(selected, parents)
    : selected && isInline
      ? ({ side: 'after', node: selected } as const)
      : htmlPlace(tree, selected)
  return place && { place, source }
}

const documentElements = new Set('html head body meta title base frameset mjml'.split(' '))
const inlineElements = new Set('text a b br code em font i img s small span strong sub sup u'.split(' '))
const lists = ['ul', 'ol']
const tableParts = ['tbody', 'thead', 'tfoot', 'table']
const rows = ['tr']

/** Elements that must be around an element of HTML. */
const htmlParents: Readonly<Record<string, readonly string[]>> = {
  li: lists,
  tr: tableParts,
  td: rows,
  th: rows,
}

/** The nearest place inside of an element with one of the names: after the node that holds the selected one, or at the end. */
function placeIn(selected: TemplateNode | null, names: readonly string[]): Place | null {
  for (let node = selected; node; node = node.parent) {
    if (node.parent && names.includes(node.parent.name)) return { side: 'after', node }
    if (node.type === 'element' && names.includes(node.name)) return { side: 'last', node }
  }
  return null
}

/** Name of an element; `text` for a run of text, and for nothing. */
function nameOf(node: TemplateNode | null | undefined): string {
  return node?.type === 'element' ? node.name : 'text'
}
