import { moduleIn } from '@emma/mail/edit/module-runs.ts'
import { type Patch, replaceRange } from '@emma/mail/edit/patch.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { assertWhole, lineEndOf } from '@emma/mail/edit/whole-node.ts'
import { sectionOf } from './blocks.ts'

/** A placeholder with sections of MJML, or with HTML. */
export interface SyncedBlock {
  id: number
  name: string
  token: string
  source: string
}

/** Source of a synced block in a template. */
export function syncedSource(token: string): string {
  return `{{ module.${token} }}`
}

/** Names of the modules that stand between the components of a template, in document order. */
export function tokensOf({ pieces }: TemplateTree): string[] {
  const tokens = pieces.flatMap(piece => (piece.type === 'output' ? (moduleIn(piece.content) ?? []) : []))
  return [...new Set(tokens)]
}

/** Source of the section around a node, which a synced block can be made of; null outside of sections. */
export function sectionSourceOf(tree: TemplateTree, node: TemplateNode | null): string | null {
  const section = sectionOf(tree, node)
  return section ? tree.source.slice(section.range.from, section.range.to) : null
}

/**
 * Replaces the section around a node by a synced block.
 * @throws EditError if the section holds only a part of a condition
 */
export function replaceBySynced(tree: TemplateTree, node: TemplateNode | null, token: string): Patch[] {
  const section = sectionOf(tree, node)
  if (!section) return []
  assertWhole(tree, section)
  return [{ ...section.range, insert: syncedSource(token) }]
}

/** Replaces a synced block by its source, wherever the template has it, with the template's line ends. */
export function detach(tree: TemplateTree, { token, source }: SyncedBlock): Patch[] {
  const lines = source.replaceAll(/\r?\n/g, lineEndOf(tree.source))
  return tree.pieces.flatMap(piece =>
    piece.type === 'output' && moduleIn(piece.content) === token
      ? replaceRange(tree.source, piece.start, piece.end, lines)
      : [],
  )
}

/** Name of a placeholder made of a block's name: letters, digits and underscores. */
export function tokenFor(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const token = plain.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^[^a-z]+|_+$/g, '')
  return token.slice(0, 63) || 'block'
}
