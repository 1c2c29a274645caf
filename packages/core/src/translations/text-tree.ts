import type { TextTree } from '@emma/contract/resources/translation.ts'

/** Texts by their full key: `areas.campaigns` → `Campaigns`. */
export type FlatTexts = ReadonlyMap<string, string>

/** Changed texts by full key; null removes a text. */
export type FlatChange = ReadonlyMap<string, string | null>

/** All texts of a tree by their full key. */
export function flatten(tree: TextTree): FlatChange {
  const flat = new Map<string, string | null>()
  const visit = (node: TextTree, prefix: string): void => {
    for (const [key, child] of Object.entries(node)) {
      if (child === null || typeof child === 'string') flat.set(prefix + key, child)
      else visit(child, `${prefix}${key}.`)
    }
  }
  visit(tree, '')
  return flat
}

/** Builds the tree of full keys. Where a key is both a text and a branch, the branch wins. */
export function unflatten(flat: Iterable<readonly [string, string]>): TextTree {
  const root: TextTree = {}
  for (const [key, text] of flat) {
    const parts = key.split('.')
    const last = parts.pop() ?? ''
    const branch = parts.reduce(branchOf, root)
    if (typeof branch[last] !== 'object') set(branch, last, text)
  }
  return root
}

function branchOf(node: TextTree, part: string): TextTree {
  const known = Object.hasOwn(node, part) ? node[part] : undefined
  if (typeof known === 'object' && known !== null) return known
  const made: TextTree = {}
  set(node, part, made)
  return made
}

/** Sets an own property, also for keys such as `__proto__`. */
function set(node: TextTree, key: string, value: string | TextTree): void {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true })
}
