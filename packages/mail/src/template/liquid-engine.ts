import { type Emitter, Liquid } from 'liquidjs'
import { spendWork, workOf } from './render-budget.ts'
import { LoopTag } from './loop-tag.ts'
import { countListFilters, listFilters } from './list-filters.ts'
import { countedOperators } from './counted-operators.ts'
import { type Filter, maxFilterText, mergeFilters } from './filters.ts'
import type { Locale } from './format-date.ts'
import { cleanLine, dropControls, toHtml, toLine, toPlainText, toText } from './value-text.ts'

/** What merged values are escaped for. `url` is the template of a link that is resolved at the click. */
export type Kind = 'html' | 'text' | 'line' | 'url'

/** A liquidjs engine that can reach nothing but the data it is given, and the same rules for the compiled slots. */
export interface Engine {
  kind: Kind
  liquid: Liquid
  filters: ReadonlyMap<string, Filter>
  /** What every output passes last, unless it ends in `raw` (which only HTML knows). */
  escape: (value: unknown) => string
  /** What the result of a whole block passes. */
  finish: (text: string) => string
}

/**
 * Limits of one parse and one render (per mail and block). Time is the last resort only, since a busy machine must
 * not decide who gets a mail: the memory limit counts list items, ranges, all text that is made, and (with
 * `stepCost`) every turn of a loop, so that it ends everything that does not end by itself.
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

/** The names a template may use, for "Did you mean". */
export function filterNames(engine: Engine): string[] {
  return Object.keys(engine.liquid.filters)
}

/**
 * The engine for one kind of part, kept per language and time zone. There is no file system behind it (`include`,
 * `render`, `layout` are not even known), prototypes are out of reach, unknown filters and tags are errors.
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
 * An engine for checking, not for rendering.
 * @param collectsFaults whether its parser goes on behind a fault to find them all
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
    strictFilters: true,
    strictVariables: false,
    // An in-memory mapping replaces the file system, also for anything a later version of the library might load.
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
  // Links mark with this what needs no encoding any more (links/resolve-link.ts).
  if (kind === 'url') liquid.registerFilter('as_it_is', { handler: toText, raw: true })
  liquid.registerTag('for', LoopTag)
  boundRendering(liquid)
  return { kind, liquid, filters, escape, finish }
}

/** Lets the text and the steps of a render count towards its memory limit; liquidjs itself counts neither. */
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

/** Text that filters make counts towards the memory limit of the render. */
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

/** The result of one block may not be longer than this. */
export const maxSlotText = maxFilterText
