import { evalQuotedToken, type Output, type Token, TypeGuards } from 'liquidjs'
import type { MergeData } from '../segments.ts'
import type { Filter } from './filters.ts'
import type { Engine } from './liquid-engine.ts'
import { spendWork, workOf } from './render-budget.ts'
import { dateText, toText } from './value-text.ts'
import { pathOf } from './walk-templates.ts'

/** Reads one value from the data of a recipient. */
export type Getter = (data: MergeData) => unknown

/**
 * Compiles `{{ member.x | filter: … }}` to a closure, or returns null for what only liquidjs can evaluate: operators,
 * deeper paths, list filters, template variables.
 */
export function compileOutput(engine: Engine, output: Output): ((data: MergeData) => string) | null {
  const [token, ...more] = output.value.initial.postfix
  if (!token || more.length > 0) return null
  const value = compileOperand(token)
  if (!value) return null
  const filters = output.value.filters
  const isRaw = filters.at(-1)?.raw === true
  // The last filter is `raw` or the escaping that the engine appends to every output.
  const get = compileFilters(engine, value, filters.slice(0, -1))
  if (!get) return null
  const escape = isRaw ? toText : engine.escape
  return data => {
    const text = escape(spentOn(get(data)))
    spendWork(text.length)
    return text
  }
}

/** Compiles a chain of filters to a closure, or returns null for what only liquidjs can evaluate. */
export function compileFilters(
  engine: Engine,
  value: Getter,
  filters: readonly { name: string; args: FilterArg[] }[],
): Getter | null {
  if (filters.length > MAX_COMPILED_FILTERS) return null
  let filtered = value
  for (const { name, args } of filters) {
    const filter = name === 'raw' ? toText : engine.filters.get(name)
    const getters = args.map(compileArgument)
    if (!filter || !isComplete(getters)) return null
    filtered = applyFilter(filter, filtered, getters)
  }
  return filtered
}

/** Each filter nests a call: longer chains are left to liquidjs. */
const MAX_COMPILED_FILTERS = 50

/** Compiles a literal or a plain `root.name`; null for anything else. */
export function compileOperand(token: Token): Getter | null {
  if (TypeGuards.isQuotedToken(token)) {
    const text = evalQuotedToken(token)
    return () => text
  }
  if (TypeGuards.isNumberToken(token)) {
    const { content } = token
    return () => content
  }
  if (TypeGuards.isLiteralToken(token)) {
    const { literal } = token
    if (literal === 'true' || literal === 'false') return () => literal === 'true'
    return null
  }
  const path = pathOf(token)
  return path ? compilePath(path) : null
}

/** Properties that liquidjs computes for lists and strings. */
const computed = new Set(['size', 'first', 'last'])

function compilePath(path: readonly string[]): Getter | null {
  const [root, name, ...deeper] = path
  if (root === 'emma_token' && name === undefined) return data => data.token
  if (root === 'emma_page_token' && name === undefined) return data => data.pageToken
  if (name === undefined || deeper.length > 0 || computed.has(name)) return null
  switch (root) {
    case 'member':
      return data => own(data.member, name)
    case 'campaign':
      return data => own(data.campaign, name)
    case 'client':
      return data => own(data.client, name)
    case 'data':
      return data => (data.data ? own(data.data, name) : undefined)
    default:
      return null
  }
}

/** Own properties only, so `constructor` and `__proto__` are not columns; functions are not values. */
function own(record: Record<string, unknown>, name: string): unknown {
  if (!Object.hasOwn(record, name)) return undefined
  const value = record[name]
  if (value instanceof Date) return dateText(value)
  return typeof value === 'function' ? undefined : value
}

type FilterArg = Output['value']['filters'][number]['args'][number]

function compileArgument(arg: FilterArg): Getter | null {
  if (!Array.isArray(arg)) return compileOperand(arg)
  const [key, token] = arg
  const value = token ? compileOperand(token) : null
  return value && (data => [key, value(data)])
}

function isComplete(getters: readonly (Getter | null)[]): getters is readonly Getter[] {
  return getters.every(getter => getter !== null)
}

function applyFilter(filter: Filter, value: Getter, args: readonly Getter[]): Getter {
  const [first, second, ...more] = args
  if (!first) return data => filter(spentOn(value(data)))
  if (!second) return data => filter(spentOn(value(data)), spentOn(first(data)))
  if (more.length === 0)
    return data => filter(spentOn(value(data)), spentOn(first(data)), spentOn(second(data)))
  return data => filter(spentOn(value(data)), ...args.map(arg => spentOn(arg(data))))
}

/** Charges the size of a filter's input to the render budget. */
export function spentOn(value: unknown): unknown {
  spendWork(workOf(value))
  return value
}
