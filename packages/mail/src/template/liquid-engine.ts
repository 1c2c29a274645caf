import { type Emitter, Liquid } from 'liquidjs'
import { spendWork, workOf } from './render-budget.ts'
import { LoopTag } from './loop-tag.ts'
import { countListFilters, listFilters } from './list-filters.ts'
import { countedOperators } from './counted-operators.ts'
import { type Filter, maxFilterText, mergeFilters } from './filters.ts'
import type { BrandValues } from './brand-values.ts'
import type { Locale } from './format-date.ts'
import { cleanLine, dropControls, toHtml, toLine, toPlainText, toText } from './value-text.ts'

/** Context that merged values are escaped for. `url` is the template of a link that is resolved on click. */
export type Kind = 'html' | 'text' | 'line' | 'url'

/** A liquidjs engine restricted to the given data, and the rules that compiled slots share with it. */
export interface Engine {
  kind: Kind
  liquid: Liquid
  filters: ReadonlyMap<string, Filter>
  /** Final step of every output, unless it ends in `raw` (HTML only). */
  escape: (value: unknown) => string
  /** Final step of a whole block. */
  finish: (text: string) => string
  /** Constants that all recipients read. */
  brand?: BrandValues | undefined
}

/**
 * Limits of one parse and one render (per message and block). Time is the last resort, because load must not decide
 * who gets a message: the memory limit counts list items, ranges, all produced text, and (with `stepCost`) every loop
 * iteration, so it ends everything that does not terminate.
 */
const renderLimits = { parseLimit: 4_000_000, memoryLimit: 2_000_000, renderLimit: 2_000 } as const

const stepCost = 50

export const allowedTags: readonly string[] = [
  'assign',
  'break',
  'capture',
  'case',
  'comment',
  'continue',
  'cycle',
  'echo',
  'for',
  'if',
  'raw',
  'tablerow',
  'unless',
  '#',
]

/** Names of filters, for "Did you mean". */
export function filterNames(engine: Engine): string[] {
  return Object.keys(engine.liquid.filters)
}

/**
 * Returns the engine for one kind of part, cached per language and time zone. It has no file system (`include`,
 * `render` and `layout` are unknown), no access to prototypes, and rejects unknown filters and tags.
 */
export function liquidEngine(kind: Kind, locale: Locale): Engine {
  const key = `${kind} ${locale.language} ${locale.timeZone}`
  const known = engines.get(key)
  if (known) return known
  const made = makeEngine(kind, locale, false)
  engines.set(key, made)
  return made
}

/**
 * Returns an engine for checking, not for rendering.
 * @param collectsFaults continues parsing after a fault, to find all
 */
export function checkingEngine(kind: Kind, collectsFaults: boolean): Engine {
  return makeEngine(kind, { language: 'en', timeZone: 'UTC' }, collectsFaults)
}

const engines = new Map<string, Engine>()

function makeEngine(kind: Kind, locale: Locale, collectsFaults: boolean): Engine {
  const { escape, finish } = rules[kind]
  const liquid = new Liquid({
    outputEscape: value => {
      spendWork(workOf(value))
      return escape(value)
    },
    operators: countedOperators,
    ownPropertyOnly: true,
    groupedExpressions: true,
    strictFilters: true,
    strictVariables: false,
    // An in-memory mapping replaces the file system, also for future versions of the library.
    templates: {},
    relativeReference: false,
    dynamicPartials: false,
    catchAllErrors: collectsFaults,
    ...renderLimits,
  })
  const filters = mergeFilters(locale)
  for (const tag of Object.keys(liquid.tags)) if (!allowedTags.includes(tag)) delete liquid.tags[tag]
  for (const filter of Object.keys(liquid.filters)) {
    if (!listFilters.includes(filter)) liquid.unregisterFilter(filter)
  }
  countListFilters(liquid)
  for (const [name, filter] of filters) liquid.registerFilter(name, counted(filter))
  liquid.registerFilter('raw', kind === 'html' ? { handler: toText, raw: true } : toText)
  // Marks values that need no encoding (links/resolve-link.ts).
  if (kind === 'url') liquid.registerFilter('as_it_is', { handler: toText, raw: true })
  liquid.registerTag('for', LoopTag)
  boundRendering(liquid)
  return { kind, liquid, filters, escape, finish }
}

/** Charges text and steps of a render to its memory limit; liquidjs counts neither. */
function boundRendering({ renderer }: Liquid): void {
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) => {
    context.memoryLimit.use(stepCost)
    return renderTemplates(templates, context, emitter ?? countingEmitter(context.memoryLimit))
  }
}

function countingEmitter(limit: { use(count: number): void }): Emitter {
  return {
    buffer: '',
    write(text: unknown) {
      const written = toText(text)
      limit.use(written.length)
      this.buffer += written
    },
  }
}

/** Charges the output of filters to the memory limit of the render. */
function counted(filter: Filter) {
  return function (
    this: { context: { memoryLimit: { use(count: number): void } } },
    value: unknown,
    ...args: unknown[]
  ) {
    spendWork(args.reduce<number>((sum, arg) => sum + workOf(arg), workOf(value)))
    const result = filter(value, ...args)
    if (typeof result === 'string') this.context.memoryLimit.use(result.length)
    return result
  }
}

const rules: Record<Kind, { escape: (value: unknown) => string; finish: (text: string) => string }> = {
  html: { escape: toHtml, finish: dropControls },
  text: { escape: toPlainText, finish: dropControls },
  line: { escape: toLine, finish: cleanLine },
  url: { escape: value => encodeURIComponent(toPlainText(value).toWellFormed()), finish: cleanLine },
}

/** Maximum length of one block's result. */
export const maxSlotText = maxFilterText
