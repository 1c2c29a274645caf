import { attributeValue } from '@emma/mail/edit/attributes.ts'
import type { Place } from '@emma/mail/edit/blocks.ts'
import { decodeEntities } from '@emma/mail/template/html-entities.ts'
import type { ElementNode, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { sectionClass } from './sections/section-html.ts'

/** Blocks that can be inserted, in the order of the menu. */
export const blockNames = [
  'heading',
  'text',
  'image',
  'button',
  'divider',
  'spacer',
  'social',
  'menu',
  'table',
  'columns_2',
  'columns_3',
  'columns_4',
  'columns_5',
  'columns_6',
  'section',
  'html',
] as const
export type BlockName = (typeof blockNames)[number]

/** Texts that a new block begins with. */
export interface BlockTexts {
  heading: string
  text: string
  button: string
}

/** Where a block is inserted, and its source. */
export interface NewBlock {
  place: Place
  source: string
}

/**
 * Returns a block and its place: after the selected block, at the end of the selected container, or at the end of the
 * mail. Null if the template has no place for it.
 */
export function newBlock(
  tree: TemplateTree,
  selected: TemplateNode | null,
  name: BlockName,
  texts: BlockTexts,
): NewBlock | null {
  return tree.format === 'mjml'
    ? mjmlBlock(tree, selected, name, texts)
    : htmlBlock(tree, selected, name, texts)
}

function mjmlBlock(
  tree: TemplateTree,
  selected: TemplateNode | null,
  name: BlockName,
  texts: BlockTexts,
): NewBlock | null {
  const body = bodyOf(tree)
  if (name === 'html') {
    const place = sectionPlace(tree, selected)
    return place && { place, source: rawBlock(texts.text) }
  }
  const columns = columnsOf[name]
  if (!body || columns === undefined) return contentBlock(tree, selected, mjmlContent(name, texts))
  const section = around(selected, sectionNames)
  return {
    place: mjmlSectionPlace(section ?? selected) ?? { side: 'last', node: body },
    source: sectionWith(
      Array.from({ length: columns }, () => columnWith(textBlock(texts.text))),
      section ? lookOf(tree, section) : '',
    ),
  }
}

/**
 * Returns the place of content of a column of MJML: after the selected content, or at the end of the column; in a new
 * section if there is no column. Null: the template has no place.
 */
export function contentBlock(
  tree: TemplateTree,
  selected: TemplateNode | null,
  content: string,
): NewBlock | null {
  const body = bodyOf(tree)
  if (!body) return null
  const section = around(selected, sectionNames)
  const container = around(selected, columnNames) ?? lastColumn(section ?? body)
  if (!container) return { place: { side: 'last', node: body }, source: sectionWith([columnWith(content)]) }
  const isInside = selected && selected !== container && selected.parent === container
  return {
    place: isInside ? { side: 'after', node: selected } : { side: 'last', node: container },
    source: content,
  }
}

const sectionNames = new Set(['mj-section', 'mj-wrapper', 'mj-hero'])
const columnNames = new Set(['mj-column', 'mj-hero'])
const columnsOf: Partial<Record<BlockName, number>> = {
  section: 1,
  columns_2: 2,
  columns_3: 3,
  columns_4: 4,
  columns_5: 5,
  columns_6: 6,
}

function mjmlContent(name: BlockName, texts: BlockTexts): string {
  switch (name) {
    case 'heading':
      return `<mj-text font-size="26px" line-height="1.3" font-weight="bold">${texts.heading}</mj-text>`
    case 'image':
      return '<mj-image src="" alt="" />'
    case 'button':
      return `<mj-button href="https://example.com/">${texts.button}</mj-button>`
    case 'divider':
      return '<mj-divider border-width="1px" border-color="#d4d4d8" />'
    case 'spacer':
      return '<mj-spacer height="24px" />'
    case 'social':
      return `<mj-social mode="horizontal">
  <mj-social-element name="facebook" href="https://www.facebook.com/"></mj-social-element>
  <mj-social-element name="instagram" href="https://www.instagram.com/"></mj-social-element>
  <mj-social-element name="linkedin" href="https://www.linkedin.com/"></mj-social-element>
</mj-social>`
    case 'menu':
      return `<mj-navbar>
  <mj-navbar-link href="https://example.com/">${texts.button}</mj-navbar-link>
  <mj-navbar-link href="https://example.com/">${texts.button}</mj-navbar-link>
</mj-navbar>`
    case 'table':
      return `<mj-table>
  <tr><th align="left">${texts.heading}</th><th align="right">${texts.heading}</th></tr>
  <tr><td>${texts.text}</td><td align="right">${texts.text}</td></tr>
</mj-table>`
    default:
      return textBlock(texts.text)
  }
}

function textBlock(text: string): string {
  return `<mj-text>${text}</mj-text>`
}

/** HTML that MJML outputs unchanged, as wide as a section. */
function rawBlock(text: string): string {
  return `<mj-raw>
  <table role="presentation" align="center" width="100%" style="max-width: 600px"><tr><td style="padding: 16px 25px">${text}</td></tr></table>
</mj-raw>`
}

function columnWith(content: string): string {
  return `<mj-column>\n  ${content.replaceAll('\n', '\n  ')}\n</mj-column>`
}

/** Attributes that a new section takes over from the section before it. */
function lookOf({ source }: TemplateTree, section: ElementNode): string {
  const look = section.attributes.filter(({ name }) => name === 'background-color' || name === 'padding')
  return look.map(({ range }) => ` ${source.slice(range.from, range.to)}`).join('')
}

/** A section of MJML with columns. */
export function sectionWith(columns: readonly string[], attributes = ''): string {
  return `<mj-section${attributes}>\n  ${columns.join('\n').replaceAll('\n', '\n  ')}\n</mj-section>`
}

function lastColumn(inside: ElementNode): ElementNode | null {
  for (const child of inside.children.toReversed()) {
    if (child.type === 'text') continue
    if (columnNames.has(child.name)) return child
    const found = lastColumn(child)
    if (found) return found
  }
  return null
}

/** The outermost section of MJML around a node, or the designed section or block of HTML around it. */
export function sectionOf(tree: TemplateTree, node: TemplateNode | null): ElementNode | null {
  if (tree.format === 'html') return designedSection(tree, node) ?? around(node, blockElements)
  const section = around(node, sectionNames)
  return section && (around(section.parent, sectionNames) ?? section)
}

/** Where a section is inserted: after that of the selected block, or at the end. Null: the template has no place. */
export function sectionPlace(tree: TemplateTree, selected: TemplateNode | null): Place | null {
  if (tree.format === 'html') return htmlSectionPlace(tree, selected)
  const body = bodyOf(tree)
  return (
    mjmlSectionPlace(sectionOf(tree, selected) ?? selected) ?? (body ? { side: 'last', node: body } : null)
  )
}

/** After a section, or after a placeholder module or HTML that stands among sections. */
function mjmlSectionPlace(node: TemplateNode | null): Place | null {
  const isAmongSections =
    node?.type === 'text' || (node && (sectionNames.has(node.name) || node.parent?.name === 'mj-body'))
  return isAmongSections ? { side: 'after', node } : null
}

/** A section of HTML never comes into a column beside another one: it follows their table. */
function htmlSectionPlace(tree: TemplateTree, selected: TemplateNode | null): Place | null {
  const section = designedSection(tree, selected)
  if (section) return { side: 'after', node: section }
  let row: TemplateNode | null = null
  for (let node = selected; node; node = node.parent)
    if (node.type === 'element' && cells.has(node.name) && hasColumns(tree, node.parent)) row = node.parent
  return htmlPlace(tree, row ? around(row, tableNames) : selected)
}

function designedSection(tree: TemplateTree, node: TemplateNode | null): ElementNode | null {
  for (let one = node; one; one = one.parent)
    if (one.type === 'element' && attributeValue(tree, one, 'class')?.split(/\s+/).includes(sectionClass))
      return one
  return null
}

/** True for a row with more than one cell that shows something; empty cells are margins. */
function hasColumns(tree: TemplateTree, row: ElementNode | null): boolean {
  return row !== null && row.name === 'tr' && row.children.filter(cell => showsContent(tree, cell)).length > 1
}

function showsContent(tree: TemplateTree, node: TemplateNode): boolean {
  if (node.type === 'element')
    return node.name === 'img' || node.children.some(child => showsContent(tree, child))
  return decodeEntities(tree.source.slice(node.range.from, node.range.to)).trim() !== ''
}

const tableNames = new Set(['table'])

/** In HTML a block comes after the selected one, or to the end of the body. */
function htmlBlock(
  tree: TemplateTree,
  selected: TemplateNode | null,
  name: BlockName,
  texts: BlockTexts,
): NewBlock | null {
  const source = htmlContent(name, texts)
  const place = source === null ? null : htmlPlace(tree, selected)
  return place && source !== null ? { place, source } : null
}

/**
 * Where a block of HTML is inserted: after the block around the selected node, at the end of the cell or list item around
 * it, or at the end. Null: the template has no place.
 */
export function htmlPlace(tree: TemplateTree, selected: TemplateNode | null): Place | null {
  let node = selected?.type === 'text' ? selected.parent : selected
  while (node?.parent && !blockElements.has(node.name) && !cells.has(node.name)) node = node.parent
  if (node && blockElements.has(node.name)) return { side: 'after', node }
  const inside = node ?? elements(tree).find(one => one.name === 'body')
  if (inside) return inside.content ? { side: 'last', node: inside } : null
  const last = tree.roots.at(-1)
  return last ? { side: 'after', node: last } : null
}

const cells = new Set(['td', 'th', 'li'])

/** Elements that a block can follow in the flow of a text. */
const blockElements = new Set('p h1 h2 h3 h4 h5 h6 ul ol blockquote hr table div'.split(' '))

function htmlContent(name: BlockName, texts: BlockTexts): string | null {
  switch (name) {
    case 'heading':
      return `<h2>${texts.heading}</h2>`
    case 'text':
      return `<p>${texts.text}</p>`
    case 'image':
      return '<p><img src="" alt="" width="536" style="max-width: 100%; height: auto"></p>'
    case 'button':
      return `<p><a href="https://example.com/" style="display: inline-block; padding: 12px 22px; background: #18181b; color: #ffffff; border-radius: 6px; text-decoration: none">${texts.button}</a></p>`
    case 'divider':
      return '<hr style="border: 0; border-top: 1px solid #d4d4d8">'
    case 'spacer':
      return '<div style="height: 24px; line-height: 24px">&nbsp;</div>'
    case 'html':
      return `<div>${texts.text}</div>`
    case 'table':
      return `<table role="presentation" width="100%"><tr><td>${texts.text}</td><td align="right">${texts.text}</td></tr></table>`
    default:
      return null
  }
}

function bodyOf(tree: TemplateTree): ElementNode | undefined {
  return elements(tree).find(node => node.name === 'mj-body')
}

function elements({ nodes }: TemplateTree): ElementNode[] {
  return nodes.filter(node => node.type === 'element')
}

/** Returns the node itself or the nearest one around it with one of the names. */
function around(node: TemplateNode | null, names: ReadonlySet<string>): ElementNode | null {
  for (let one = node; one; one = one.parent) if (one.type === 'element' && names.has(one.name)) return one
  return null
}
