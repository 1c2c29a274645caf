import { type Patch, replaceRange } from './patch.ts'
import type { TemplateNode, TemplateTree } from './template-tree.ts'

/**
 * Gives the nodes of a changed source the ids they had before: nodes outside of the patches and around them by their
 * place, moved ones by their text, changed ones by their place among their siblings. All others get new ids.
 * @param patches the change; found by comparison if missing, which cannot tell equal neighbours apart
 */
export function keepIds(
  previous: TemplateTree,
  tree: TemplateTree,
  patches: readonly Patch[] = replaceRange(previous.source, 0, previous.source.length, tree.source),
): TemplateTree {
  const ids = new Map<TemplateNode, number>()
  const taken = new Set<TemplateNode>()
  const match = (previousKey: KeyOf, key: KeyOf) => {
    const open = Map.groupBy(
      previous.nodes.filter(node => !taken.has(node)).toReversed(),
      node => previousKey(node) ?? '',
    )
    for (const node of tree.nodes) {
      const name = ids.has(node) ? null : key(node)
      const same = name === null ? undefined : open.get(name)?.pop()
      if (!same) continue
      taken.add(same)
      ids.set(node, same.id)
    }
  }
  const shift = shiftBy(patches)
  match(
    node => placeKey(node, shift(node.range.from)),
    node => placeKey(node, node.range.from),
  )
  match(textKey(previous), textKey(tree))
  // Document order: a parent has its id before its children are compared.
  match(
    siblingKey(previous, parent => parent.id),
    siblingKey(tree, parent => ids.get(parent)),
  )
  let { nextId } = previous
  for (const node of tree.nodes) node.id = ids.get(node) ?? nextId++
  return { ...tree, nextId }
}

type KeyOf = (node: TemplateNode) => string | null

function kindOf(node: TemplateNode): string {
  return node.type === 'text' ? '#' : node.name
}

function placeKey(node: TemplateNode, from: number | null): string | null {
  return from === null ? null : `${from} ${kindOf(node)}`
}

/** New offset of a node that began at an offset; null if that was in a replaced range. */
function shiftBy(patches: readonly Patch[]): (offset: number) => number | null {
  const sorted = patches.toSorted((a, b) => a.from - b.from || a.to - b.to)
  return offset => {
    let shift = 0
    for (const { from, to, insert } of sorted) {
      if (from > offset) break
      if (offset < to) return null
      shift += insert.length - (to - from)
    }
    return offset + shift
  }
}

/** Longer nodes are compared by their place alone. */
const MAX_COMPARED_LENGTH = 20_000

function textKey({ source }: TemplateTree): KeyOf {
  return ({ range: { from, to } }) => (to - from > MAX_COMPARED_LENGTH ? null : source.slice(from, to))
}

function siblingKey(
  { nodes, roots }: TemplateTree,
  idOf: (parent: TemplateNode) => number | undefined,
): KeyOf {
  const positions = new Map<TemplateNode, number>()
  for (const siblings of [roots, ...nodes.map(node => (node.type === 'text' ? [] : node.children))])
    for (const [position, node] of siblings.entries()) positions.set(node, position)
  return node => {
    const parent = node.parent ? idOf(node.parent) : -1
    return parent === undefined ? null : `${parent} ${positions.get(node)} ${kindOf(node)}`
  }
}
