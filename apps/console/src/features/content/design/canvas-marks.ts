import { markedRun } from '@emma/mail/edit/module-runs.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'

/** The canvas: HTML made of a marked copy of a template, and that template. */
export interface CanvasMail {
  html: string
  /** Prefix of the marks. */
  prefix: string
  /** The template's tree when it was rendered: marks are the indexes of its nodes. */
  tree: TemplateTree
}

/** Returns the elements that show a node; more than one if a loop repeats it, none if a condition hides it. */
export function elementsOf(document: Document, { prefix, tree }: CanvasMail, id: number): Element[] {
  const node = tree.nodes.find(one => one.id === id)
  if (!node) return []
  const marked = node.type === 'element' ? node : tree.format === 'html' ? node.parent : markedRun(tree, node)
  if (!marked) return []
  if (tree.format === 'html') return [...document.querySelectorAll(`[data-${prefix}node="${marked.index}"]`)]
  const mark = `${prefix}${marked.index}`
  return [...document.querySelectorAll(`.${mark}, .${mark}e`)]
}

/** Returns the node that an element of the canvas belongs to; null outside of all. */
export function nodeAt(element: Element | null, { prefix, tree }: CanvasMail): TemplateNode | null {
  const mark = new RegExp(`^${prefix}(\\d+)e?$`)
  for (let around = element; around; around = around.parentElement) {
    const index =
      tree.format === 'html'
        ? around.getAttribute(`data-${prefix}node`)
        : [...around.classList].map(name => mark.exec(name)?.[1]).find(Boolean)
    if (index) return tree.nodes[Number(index)] ?? null
  }
  return null
}
