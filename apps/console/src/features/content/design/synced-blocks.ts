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
  const tokens = pieces.flatMap(piece => (piece.type === 'output' ? (tokenOf(piece.content) ?? []) : []))
  return [...new Set(tokens)]
}

/** Token of the module that a node is; null for all other nodes. */
export function tokenAt({ source }: TemplateTree, node: TemplateNode): string | null {
  return node.type === 'text' ? tokenIn(source.slice(node.range.from, node.range.to)) : null
}

/** Token of a source that is a synced block and nothing else. */
export function tokenIn(source: string): string | null {
  return source.startsWith('{{') && source.endsWith('}}') ? tokenOf(source.slice(2, -2)) : null
}

function tokenOf(content: string): string | null {
  return /^\s*module\.(\w+)\s*$/.exec(content)?.[1] ?? null
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
    piece.type === 'output' && tokenOf(piece.content) === token
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
