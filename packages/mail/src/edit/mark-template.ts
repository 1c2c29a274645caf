import { attributeValue, tagNameEnd } from './attributes.ts'
import { readDefaultClasses } from './default-classes.ts'
import type { Module } from '../template/modules.ts'
import { attributeMark, classMark, commentMarks, freePrefix, type Marks } from './marks.ts'
import { applyPatch, type Patch } from './patch.ts'
import { moduleAt } from './module-runs.ts'
import { parseTemplate } from './parse-template.ts'
import type { ElementNode, TemplateNode, TemplateTree } from './template-tree.ts'

/** A copy of a template for the canvas. */
export interface MarkedTemplate {
  source: string
  marks: Marks
}

/**
 * Marks every node of a template that can be seen, so that it is found in the HTML which the compiler makes of it. The
 * nodes of modules between components of MJML are marked by `markModules`.
 */
export function markTemplate(tree: TemplateTree): MarkedTemplate {
  const marks: Marks = { prefix: freePrefix(tree.source), isRewritten: hasInlineStyles(tree) }
  const patches = tree.format === 'mjml' ? componentMarks(tree, marks) : elementMarks(tree, marks)
  return { source: applyPatch(tree.source, patches), marks }
}

function hasInlineStyles(tree: TemplateTree): boolean {
  return tree.nodes.some(
    node =>
      node.type === 'element' &&
      node.name === 'mj-style' &&
      attributeValue(tree, node, 'inline') === 'inline' &&
      isInside(node, 'mj-head'),
  )
}

/**
 * Marks the components of the modules that stand between the components of MJML: with the first node that inserts them.
 * Components that a module inserts itself stay unmarked.
 */
export function markModules(tree: TemplateTree, marks: Marks, modules: readonly Module[]): readonly Module[] {
  if (tree.format !== 'mjml') return modules
  const runs = tree.nodes.filter(node => moduleAt(tree, node) !== null)
  if (runs.length === 0) return modules
  const defaultClass = readDefaultClasses(tree)
  return modules.map(module => {
    const node = module.type === 'mjml' ? runs.find(run => moduleAt(tree, run) === module.name) : undefined
    if (!node) return module
    const mark = (body: string) => markRoots(body, marks, node, defaultClass)
    const { body } = module
    return {
      ...module,
      body:
        typeof body === 'string'
          ? mark(body)
          : Object.fromEntries(Object.entries(body).map(([language, text]) => [language, mark(text)])),
    }
  })
}

function markRoots(
  body: string,
  marks: Marks,
  { index, parent }: TemplateNode,
  defaultClass: ReturnType<typeof readDefaultClasses>,
): string {
  const source = parseTemplate(body, { format: 'mjml' })
  if (source.type === 'code') return body
  const patches = source.roots.flatMap(root =>
    root.type === 'element' && root.name.startsWith('mj-') && root.name !== 'mj-raw'
      ? classPatches(source, marks, { ...root, index }, defaultClass(root, { source, parent }))
      : [],
  )
  return applyPatch(body, patches)
}

function elementMarks(tree: TemplateTree, marks: Marks): Patch[] {
  return tree.nodes.flatMap(node =>
    node.type === 'text' || hiddenElements.has(node.name) || isInside(node, 'head')
      ? []
      : insertionAt(tagNameEnd(tree, node), attributeMark(marks, node.index)),
  )
}

const hiddenElements = new Set(['html', 'head', 'script', 'style', 'title', 'template'])

function isInside(node: TemplateNode, name: string): boolean {
  for (let around = node.parent; around; around = around.parent) if (around.name === name) return true
  return false
}

function componentMarks(tree: TemplateTree, marks: Marks): Patch[] {
  const defaultClass = readDefaultClasses(tree)
  const components = tree.nodes.filter(
    node => node.type === 'element' && node.name.startsWith('mj-') && !isHidden(node),
  )
  return components.flatMap(node => {
    if (node.type === 'text') return []
    if (node.name === 'mj-raw') return rawMarks(tree, marks, node)
    return classPatches(tree, marks, node, defaultClass(node))
  })
}

function isHidden(node: TemplateNode): boolean {
  return (node.type === 'element' && node.name === 'mj-head') || isInside(node, 'mj-head')
}

/**
 * Raw content is output without the white space around it. Unmarked stay what MJML puts before the doctype, and
 * conditional comments at its begin or end: MJML joins them with its own.
 */
function rawMarks({ source }: TemplateTree, marks: Marks, node: ElementNode): Patch[] {
  if (!node.content || node.attributes.some(({ name }) => name === 'position')) return []
  const { from, to } = node.content
  const content = source.slice(from, to)
  const text = content.trim()
  if (text === '' || text.startsWith('<!--[if') || text.endsWith('<![endif]-->')) return []
  const start = from + content.indexOf(text)
  const { open, close } = commentMarks(marks, node.index)
  return [...insertionAt(start, open), ...insertionAt(start + text.length, close)]
}

/** A css-class of its own replaces the component's default, which is therefore repeated. */
function classPatches(
  tree: TemplateTree,
  marks: Marks,
  node: ElementNode,
  defaultClass: string | null,
): Patch[] {
  const own = node.attributes.find(({ name }) => name === 'css-class')
  const mark = classMark(marks, node.index)
  const empty = classMark(marks, node.index, true)
  if (!own) {
    if (defaultClass?.includes('"')) return []
    const value = defaultClass === null ? mark : marked(defaultClass, mark, empty)
    return insertionAt(tagNameEnd(tree, node), ` css-class="${value}"`)
  }
  if (!own.value) return insertionAt(own.range.to, `="${empty}"`)
  const { from, to, quote } = own.value
  const value = tree.source.slice(from, to)
  const text = quote === '' ? `"${marked(value, mark, empty)}"` : marked(value, mark, empty)
  return [{ from, to, insert: text }]
}

function marked(classes: string, mark: string, empty: string): string {
  return classes === '' ? empty : `${classes} ${mark}`
}

function insertionAt(offset: number, text: string): Patch[] {
  return [{ from: offset, to: offset, insert: text }]
}
