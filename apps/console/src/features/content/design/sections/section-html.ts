import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import type { ElementNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'

/** Class of a designed section in HTML: what is inserted beside it comes after the whole section. */
export const sectionClass = 'emma-section'

const columnClass = 'emma-column'

/**
 * Rule of the columns. Without it, as in mail clients that read no style elements, they stack too, but keep their width.
 */
export const columnRule = `<style>@media only screen and (max-width:480px){.${columnClass}{max-width:100%!important}}</style>`

/** True for a section whose columns need `columnRule`. */
export function hasColumns(section: string): boolean {
  return section.includes(`class="${columnClass}"`)
}

const mailWidth = 600

/**
 * Compiles a designed section of MJML to HTML that can be edited: tables with their styles in place, and others for
 * Outlook, which ignores `max-width`. Liquid stays as it is. Knows the components that designed sections consist of.
 */
export function sectionHtml(source: string): string {
  const tree = parseTemplate(source, { format: 'mjml' })
  const [section] = tree.type === 'tree' ? tree.roots : []
  if (tree.type === 'code' || section?.type !== 'element') return ''
  const background = valueOf(tree, section, 'background-color')
  const columns = elementsIn(section).map((column, _, all) => ({
    width: Math.floor((mailWidth * columnPercent(tree, column, all.length)) / 100),
    rows: (width: number) => childrenSource(tree, column, block => blockRow(tree, block, width)).trim(),
  }))
  return [
    `<table class="${sectionClass}" ${table}>`,
    '  <tr>',
    '    <td align="center">',
    `      <!--[if mso]><table width="${mailWidth}" ${outlookTable}><tr><td><![endif]-->`,
    `      <table ${table} bgcolor="${background}" style="max-width: ${mailWidth}px; background-color: ${background}">`,
    '        <tr>',
    `          <td align="center" style="padding: ${valueOf(tree, section, 'padding')}; font-size: 0">`,
    ...indented(columnsSource(columns), 12),
    '          </td>',
    '        </tr>',
    '      </table>',
    '      <!--[if mso]></td></tr></table><![endif]-->',
    '    </td>',
    '  </tr>',
    '</table>',
  ].join('\n')
}

const outlookTable = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
const table = `${outlookTable} width="100%"`

interface Column {
  /** In pixels. */
  width: number
  rows: (width: number) => string
}

function columnsSource(columns: readonly Column[]): string[] {
  const contents = columns.map(({ width, rows }) => [
    `<table ${table}>`,
    ...indented(rows(width).split('\n'), 2),
    '</table>',
  ])
  if (contents.length === 1) return contents.flat()
  const cell = (index: number) => `<td width="${columns[index]?.width}" valign="top">`
  return [
    `<!--[if mso]><table width="${mailWidth}" ${outlookTable}><tr>${cell(0)}<![endif]-->`,
    ...contents.flatMap((content, index) => [
      ...(index === 0 ? [] : [`<!--[if mso]></td>${cell(index)}<![endif]-->`]),
      `<div class="${columnClass}" style="display: inline-block; width: 100%; max-width: ${columns[index]?.width}px; vertical-align: top">`,
      ...indented(content, 2),
      '</div>',
    ]),
    '<!--[if mso]></td></tr></table><![endif]-->',
  ]
}

/** A row with one block. */
function blockRow(tree: TemplateTree, block: ElementNode, columnWidth: number): string {
  const value = (name: string) => valueOf(tree, block, name)
  const padding = value('padding')
  const row = (content: string) =>
    `<tr><td align="${alignOf(tree, block)}" style="padding: ${padding}">${content}</td></tr>`
  switch (block.name) {
    case 'mj-image':
      return row(linked(value('href'), imageSource(tree, block, columnWidth - sidePadding(padding))))
    case 'mj-button':
      return row(buttonSource(tree, block))
    case 'mj-divider':
      return row(
        `<hr style="margin: 0; border: 0; border-top: ${value('border-width')} solid ${value('border-color')}">`,
      )
    case 'mj-social':
      return row(
        childrenSource(tree, block, icon => socialIcon(tree, icon, value('icon-size')))
          .replaceAll(/\s*\n\s*/g, '')
          .trim(),
      )
    default:
      return row(textSource(tree, block))
  }
}

function textSource(tree: TemplateTree, block: ElementNode): string {
  const content = contentOf(tree, block)
  const tag = /<(?:ul|ol|p|div|table)\b/i.test(content) ? 'div' : 'p'
  const style = ['font-family', 'font-size', 'font-weight', 'line-height', 'color'].flatMap(name => {
    const value = valueOf(tree, block, name) || textDefaults[name]
    return value === undefined ? [] : `${name}: ${value}`
  })
  return `<${tag} style="margin: 0; ${style.join('; ')}">${content}</${tag}>`
}

const textDefaults: Readonly<Record<string, string>> = { 'line-height': '1' }

function imageSource(tree: TemplateTree, block: ElementNode, space: number): string {
  const own = Number.parseInt(valueOf(tree, block, 'width'), 10)
  const width = Number.isNaN(own) ? space : Math.min(own, space)
  const radius = valueOf(tree, block, 'border-radius')
  const style = [
    'display: block',
    Number.isNaN(own) ? 'width: 100%' : `width: ${width}px`,
    'max-width: 100%',
    'height: auto',
    'border: 0',
    ...(radius === '' ? [] : [`border-radius: ${radius}`]),
    `margin: ${{ left: '0', center: '0 auto', right: '0 0 0 auto' }[alignOf(tree, block)]}`,
  ]
  return `<img src="${valueOf(tree, block, 'src')}" alt="${valueOf(tree, block, 'alt')}" width="${width}" style="${style.join('; ')}">`
}

/** A cell has the color and, for Outlook, the padding. */
function buttonSource(tree: TemplateTree, block: ElementNode): string {
  const value = (name: string) => valueOf(tree, block, name)
  const shape = `border-radius: ${value('border-radius')}; background-color: ${value('background-color')}`
  const style = `display: inline-block; padding: ${value('inner-padding')}; font-family: ${value('font-family')}; font-size: ${value('font-size')}; color: ${value('color')}; text-decoration: none; ${shape}`
  return `<table ${outlookTable}><tr><td bgcolor="${value('background-color')}" style="${shape}; mso-padding-alt: ${value('inner-padding')}"><a href="${value('href')}" style="${style}">${contentOf(tree, block)}</a></td></tr></table>`
}

/** White icons of MJML on the color of the brand. */
function socialIcon(tree: TemplateTree, icon: ElementNode, size: string): string {
  const network = "{% if social.network == 'x' %}twitter-x{% else %}{{ social.network }}{% endif %}"
  const image = `<img src="https://www.mailjet.com/images/theme/v1/icons/ico-social/${network}.png" alt="${valueOf(tree, icon, 'alt')}" width="${Number.parseInt(size, 10)}" height="${Number.parseInt(size, 10)}" style="margin: 4px; border: 0; border-radius: 3px; background-color: {{ brand.color }}">`
  return linked(valueOf(tree, icon, 'href'), image)
}

function linked(href: string, content: string): string {
  return href === '' ? content : `<a href="${href}" style="text-decoration: none">${content}</a>`
}

type Align = 'left' | 'center' | 'right'

/** MJML centers images, buttons and icons by default. */
function alignOf(tree: TemplateTree, block: ElementNode): Align {
  const align = valueOf(tree, block, 'align')
  if (align === 'left' || align === 'center' || align === 'right') return align
  return block.name === 'mj-text' ? 'left' : 'center'
}

function columnPercent(tree: TemplateTree, column: ElementNode, count: number): number {
  const own = Number.parseFloat(valueOf(tree, column, 'width'))
  return Number.isNaN(own) ? 100 / count : own
}

/** Padding at the left and right, in pixels. */
function sidePadding(padding: string): number {
  const [top = 0, right = top, , left = right] = padding.split(' ').map(value => Number.parseInt(value, 10))
  return left + right
}

/** Source of an attribute; '' without it. */
function valueOf({ source }: TemplateTree, node: ElementNode, name: string): string {
  const value = node.attributes.find(one => one.name === name)?.value
  return value ? source.slice(value.from, value.to) : ''
}

function contentOf({ source }: TemplateTree, { content }: ElementNode): string {
  return content ? source.slice(content.from, content.to) : ''
}

function elementsIn({ children }: ElementNode): ElementNode[] {
  return children.filter(child => child.type === 'element')
}

/** Content of a component whose children are replaced; Liquid and white space between them stay. */
function childrenSource(
  { source }: TemplateTree,
  node: ElementNode,
  replace: (child: ElementNode) => string,
): string {
  if (!node.content) return ''
  let at = node.content.from
  let result = ''
  for (const child of elementsIn(node)) {
    result += source.slice(at, child.range.from) + replace(child)
    at = child.range.to
  }
  return (result + source.slice(at, node.content.to)).replaceAll(/\n +/g, '\n')
}

function indented(lines: readonly string[], spaces: number): string[] {
  return lines.map(line => ' '.repeat(spaces) + line)
}
