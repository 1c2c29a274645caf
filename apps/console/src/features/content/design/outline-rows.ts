import type { ElementNode, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'

/** A node in the outline. */
export interface OutlineRow {
  node: TemplateNode
  /** Depth, from 1. */
  level: number
}

/**
 * Returns the nodes that people look for, in document order: components of MJML's body and synced blocks; text, headings,
 * links, images and lines of HTML, whose layout tables are left out.
 */
export function outlineRows(tree: TemplateTree): OutlineRow[] {
  const rows: OutlineRow[] = []
  const add = (nodes: readonly TemplateNode[], level: number) => {
    for (const node of nodes) {
      const isShown = tree.format === 'mjml' ? isComponent(node) : isContent(node)
      if (isShown) rows.push({ node, level })
      if (node.type === 'element' && !isHead(node)) add(node.children, isShown ? level + 1 : level)
    }
  }
  add(tree.roots, 1)
  return rows
}

function isComponent(node: TemplateNode): boolean {
  return node.type === 'text' || (node.name.startsWith('mj-') && !isHead(node))
}

function isHead({ name }: ElementNode): boolean {
  return name === 'mj-head' || name === 'head' || name === 'style' || name === 'script'
}

const contentElements = new Set('a img hr h1 h2 h3 h4 h5 h6 p ul ol li video'.split(' '))

function isContent(node: TemplateNode): boolean {
  if (node.type === 'element') return contentElements.has(node.name)
  return !node.parent || !contentElements.has(node.parent.name)
}

/** Start of the text in a node, without tags; empty for a container of other blocks. */
export function textOf({ source, format }: TemplateTree, node: TemplateNode): string {
  if (format === 'mjml' && node.type === 'element' && node.children.length > 0) return ''
  const { from, to } = node.type === 'element' ? (node.content ?? { from: 0, to: 0 }) : node.range
  return source
    .slice(from, Math.min(to, from + 2000))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
}
