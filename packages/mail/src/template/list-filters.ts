import type { Liquid } from 'liquidjs'
import { spendWork, workOf } from './render-budget.ts'
import { splitText } from './find-text.ts'
import { toText } from './value-text.ts'

/** List filters of liquidjs; all others are in filters.ts. */
export const listFilters: readonly string[] = [
  'compact',
  'concat',
  'first',
  'join',
  'last',
  'map',
  'reverse',
  'size',
  'slice',
  'sort',
  'sort_natural',
  'split',
  'uniq',
  'where',
]

/**
 * Charges the input of list filters to the render budget before they run: a list of a thousand references to one long
 * text is as much work as a thousand texts.
 */
export function countListFilters(liquid: Liquid): void {
  liquid.registerFilter('split', split)
  for (const name of listFilters) {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function' || UNCOUNTED.has(name)) continue
    liquid.registerFilter(name, function (value: unknown, ...args: unknown[]): unknown {
      spendWork(costOf(name, value) + args.reduce<number>((sum, arg) => sum + workOf(arg), 0))
      return filter.call(this, value, ...args)
    })
  }
}

/** Constant time for any list. */
const UNCOUNTED = new Set(['first', 'last', 'size'])

/** Cost of reading a field of an item, relative to copying the item. */
const READ_COST = 20

function costOf(name: string, value: unknown): number {
  const count = Array.isArray(value) ? value.length : 1
  const size = workOf(value)
  if (name === 'sort' || name === 'sort_natural')
    return (size + READ_COST * count) * Math.ceil(Math.log2(count + 1))
  return name === 'map' || name === 'where' ? size + READ_COST * count : size
}

/** As in Ruby, trailing empty strings are omitted. */
function split(
  this: { context: { memoryLimit: { use(count: number): void } } },
  value: unknown,
  by: unknown,
) {
  const text = toText(value)
  this.context.memoryLimit.use(text.length)
  const pieces = splitText(text, toText(by))
  while (pieces.at(-1) === '') pieces.pop()
  return pieces
}
