import { insert, type Place } from '@emma/mail/edit/blocks.ts'
import type { Patch } from '@emma/mail/edit/patch.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { sectionPlace } from '../blocks.ts'
import { columnRule, hasColumns } from './section-html.ts'

/**
 * Inserts a section after that of the selected node, or at the end; none if the template has no place for it.
 * @param styles style elements of one line that a section of HTML needs; by default that of the columns of designed ones
 */
export function insertSection(
  tree: TemplateTree,
  selected: TemplateNode | null,
  source: string,
  styles: readonly string[] = hasColumns(source) ? [columnRule] : [],
): Patch[] {
  const place = sectionPlace(tree, selected)
  const missing = tree.format === 'html' ? styles.filter(style => !tree.source.includes(style)) : []
  if (missing.length === 0) return insertAt(tree, place, source)
  const rules = missing.join('\n')
  const head = tree.nodes.find(node => node.type === 'element' && node.name === 'head' && node.close !== null)
  // Gmail reads style elements in the head only.
  if (head?.type !== 'element') return insertAt(tree, place, `${rules}\n${source}`)
  return [...insert(tree, { side: 'last', node: head }, rules), ...insertAt(tree, place, source)]
}

/** A template without a node has no place. */
function insertAt(tree: TemplateTree, place: Place | null, source: string): Patch[] {
  if (place) return insert(tree, place, source)
  const at = tree.source.length
  return tree.format === 'html' && tree.nodes.length === 0 ? [{ from: at, to: at, insert: source }] : []
}
