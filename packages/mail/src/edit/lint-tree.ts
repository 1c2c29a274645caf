import { mailFault, type MailFault } from '../mail-fault.ts'
import { attributeValue, setAttribute } from './attributes.ts'
import { readComponentValues } from './component-value.ts'
import { findUnsupportedCss } from './css-support.ts'
import { findContrast } from './find-contrast.ts'
import type { Patch } from './patch.ts'
import type { ElementNode, TemplateNode, TemplateTree } from './template-tree.ts'

/** A finding in the source of a template, with its node and, where one exists, a fix. */
export interface TreeFinding {
  code:
    | 'image-without-alt'
    | 'insecure-link'
    | 'empty-link'
    | 'heading-order'
    | 'low-contrast'
    | 'unsupported-css'
  fault: MailFault
  node: TemplateNode
  fix: (() => Patch[]) | null
}

/** Findings of one kind; more add nothing. */
const maxFindings = 10

/** Checks the source of a template. Findings of a kind are in document order. */
export function lintTree(tree: TemplateTree): TreeFinding[] {
  return [
    findMissingAlt(tree),
    findLinks(tree),
    findHeadings(tree),
    contrastFindings(tree),
    findCss(tree),
  ].flatMap(all => {
    const counts = new Map<string, number>()
    return all.filter(({ code }) => {
      const count = (counts.get(code) ?? 0) + 1
      counts.set(code, count)
      return count <= maxFindings
    })
  })
}

function findMissingAlt(tree: TemplateTree): TreeFinding[] {
  const valueOf = tree.format === 'mjml' ? readComponentValues(tree) : null
  return tree.nodes.flatMap((node): TreeFinding[] => {
    if (node.type !== 'element' || node.name !== (valueOf ? 'mj-image' : 'img')) return []
    const alt = valueOf ? valueOf(node, 'alt') : attributeValue(tree, node, 'alt')
    if (alt !== null || isInHead(node) || isTiny(tree, node)) return []
    const picture = quoted(attributeValue(tree, node, 'src') ?? '')
    return [
      { code: 'image-without-alt', fault: mailFault('content.image_alt', { picture }), node, fix: null },
    ]
  })
}

/** Marks an image that is mere decoration: readers aloud skip it. */
export function markDecorative(tree: TemplateTree, node: ElementNode): Patch[] {
  return setAttribute(tree, node, 'alt', '')
}

function isTiny(tree: TemplateTree, node: ElementNode): boolean {
  const size = (name: string) => Number.parseFloat(attributeValue(tree, node, name) ?? '')
  return size('width') <= 2 && size('height') <= 2
}

const linkPattern = /(\bhref\s*=\s*)(?:"([^"]{0,4000})"|'([^']{0,4000})')/gi

/** Links of elements, and those in the contents of components. */
function findLinks(tree: TemplateTree): TreeFinding[] {
  return tree.nodes.flatMap((node): TreeFinding[] => {
    if (node.type !== 'element' || isInHead(node)) return []
    const range = tree.format === 'mjml' && node.children.length === 0 ? node.range : node.open
    const source = tree.source.slice(range.from, Math.min(range.to, range.from + 100_000))
    return [...source.matchAll(linkPattern)].flatMap(match => {
      const url = (match[2] ?? match[3] ?? '').trim()
      const at = range.from + match.index + match[0].length - 1 - (match[2] ?? match[3] ?? '').length
      return linkFinding(tree, node, url, at)
    })
  })
}

function linkFinding(tree: TemplateTree, node: ElementNode, url: string, at: number): TreeFinding[] {
  if (url === '')
    return [{ code: 'empty-link', fault: mailFault('content.link_empty', { name: '' }), node, fix: null }]
  if (!/^http:/i.test(url)) return []
  const from = tree.source.indexOf(url, at)
  return [
    {
      code: 'insecure-link',
      fault: mailFault('content.link_insecure', { link: quoted(url) }),
      node,
      fix: () => [{ from: from + 4, to: from + 4, insert: 's' }],
    },
  ]
}

/** Headings must not leave out a level: readers aloud navigate by them. */
function findHeadings(tree: TemplateTree): TreeFinding[] {
  const findings: TreeFinding[] = []
  let before = 0
  const visit = (node: TemplateNode, level: number) => {
    if (before > 0 && level > before + 1)
      findings.push({
        code: 'heading-order',
        fault: mailFault('content.heading_order', { heading: `h${level}`, before: `h${before}` }),
        node,
        fix: null,
      })
    before = level
  }
  for (const node of tree.nodes) {
    if (node.type !== 'element' || isInHead(node)) continue
    const own = /^h([1-6])$/.exec(node.name)?.[1]
    if (own !== undefined) visit(node, Number(own))
    else if (tree.format === 'mjml' && node.content && node.children.length === 0)
      for (const [, level] of tree.source.slice(node.content.from, node.content.to).matchAll(/<h([1-6])\b/gi))
        visit(node, Number(level))
  }
  return findings
}

const stylePattern =
  /\bstyle\s*=\s*(?:"([^"]{0,10000})"|'([^']{0,10000})')|<style\b[^>]{0,1000}>([^<]{0,100000})/gi

/** CSS of style attributes and style sheets; each property once. */
function findCss(tree: TemplateTree): TreeFinding[] {
  const findings = new Map<string, TreeFinding>()
  for (const node of tree.nodes) {
    if (node.type !== 'element') continue
    for (const css of cssOf(tree, node))
      for (const { css: name, programs } of findUnsupportedCss(css))
        if (!findings.has(name))
          findings.set(name, {
            code: 'unsupported-css',
            fault: mailFault('content.css_support', { css: name, programs: programs.join(', ') }),
            node,
            fix: null,
          })
  }
  return [...findings.values()]
}

/** Style sheets and style attributes of an element; of MJML, those in its content. */
function cssOf({ source, format }: TemplateTree, node: ElementNode): string[] {
  const isSheet = node.name === 'style' || node.name === 'mj-style'
  if (isSheet) return node.content ? [source.slice(node.content.from, node.content.to)] : []
  const range = format === 'mjml' && node.children.length === 0 ? node.content : node.open
  if (!range) return []
  const text = source.slice(range.from, Math.min(range.to, range.from + 100_000))
  return [...text.matchAll(stylePattern)].map(([, double, single, sheet]) => double ?? single ?? sheet ?? '')
}

function contrastFindings(tree: TemplateTree): TreeFinding[] {
  return findContrast(tree).map(({ node, isDark, text, background, contrast, fix }) => ({
    code: 'low-contrast',
    fault: mailFault(isDark ? 'content.contrast_dark' : 'content.contrast', { text, background, contrast }),
    node,
    fix,
  }))
}

function isInHead(node: ElementNode): boolean {
  for (let around = node.parent; around; around = around.parent)
    if (around.name === 'mj-head' || around.name === 'head') return true
  return false
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return `"${line.length > 80 ? `${line.slice(0, 79)}…` : line}"`
}
