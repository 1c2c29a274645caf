import { mailFault, type MailFault } from '../mail-fault.ts'
import { CycleTag, IfTag, type Template, TypeGuards, UnlessTag, Value } from 'liquidjs'
import { type Fault, liquidFaults, unknownFilter } from './liquid-faults.ts'
import { checkingEngine, type Engine, filterNames, type Kind } from './liquid-engine.ts'
import { maskQuotes } from './mask-quotes.ts'
import { normaliseLiquid } from './normalise-liquid.ts'
import { type Piece, scanLiquid } from './scan-liquid.ts'
import { type MappedText, originOf } from './source-map.ts'
import { type Part, placeOf, TemplateError } from './template-error.ts'
import { groupsOf, isComplete, walkTemplates, walkValues } from './walk-templates.ts'

/** A parsed part: every accepted spelling was converted to Liquid, and offsets map back to the source. */
export interface ParsedPart extends MappedText {
  /** Pieces of `text`. */
  pieces: readonly Piece[]
  templates: readonly Template[]
}

/** Maximum source length, in UTF-16 units. */
export const maxLength: Record<Part, number> = {
  subject: 2_000,
  preheader: 2_000,
  html: 1_000_000,
  text: 500_000,
}

/** Maximum number of placeholders and tags. */
const maxPieces = 20_000

/** Maximum nesting of conditions and loops. */
const maxDepth = 50

/** Maximum iterations of a loop over a range; loops over lists are bounded by the memory limit of the render. */
const maxRepeats = 1_000

/** Parses one part, or returns all its faults. */
export function parsePart(part: Part, source: string): ParsedPart | readonly TemplateError[] {
  if (source.length > maxLength[part]) {
    return [
      new TemplateError(
        part,
        1,
        1,
        mailFault('content.part_long', { max: maxLength[part].toLocaleString('en') }),
      ),
    ]
  }
  const pieces = attempt(() => scanLiquid(source), source, engines.first[kindOf[part]])
  if ('faults' in pieces) return errorsAt(part, source, pieces.faults)
  if (pieces.value.length > maxPieces)
    return [new TemplateError(part, 1, 1, mailFault('content.placeholders_many'))]
  const tooDeep = pieces.value[deeperThan(pieces.value, maxDepth)]
  if (tooDeep) return [errorAt(part, source, tooDeep.start, mailFault('content.nested'))]
  const engine = engineFor(part, source, pieces.value)
  const spelling: Fault[] = []
  const written = normaliseLiquid(source, pieces.value, part === 'html', (offset, { fault }) => {
    spelling.push({ offset, fault })
  })
  const parsed = attempt(() => engine.liquid.parse(written.text), written.text, engine)
  const faults = 'faults' in parsed ? parsed.faults : strictFaults(parsed.value, written.text, engine)
  const all = [
    ...spelling,
    ...faults.map(({ offset, fault }) => ({ offset: originOf(written.marks, offset), fault })),
  ]
  if (all.length > 0 || 'faults' in parsed) return errorsAt(part, source, all)
  return { ...written, pieces: scanLiquid(written.text), templates: parsed.value }
}

/** Limit of reported errors. */
const maxErrors = 20

function errorsAt(part: Part, source: string, faults: readonly Fault[]): TemplateError[] {
  return faults
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, maxErrors)
    .map(({ offset, fault }) => errorAt(part, source, offset, fault))
}

/** Creates an error at an offset of a source. */
export function errorAt(part: Part, source: string, offset: number, fault: MailFault): TemplateError {
  const { line, column } = placeOf(source, offset)
  return new TemplateError(part, line, column, fault)
}

/** Context that merged values of a part are escaped for. */
export const kindOf: Record<Part, Kind> = { subject: 'line', preheader: 'html', html: 'html', text: 'text' }

const engines = { all: checkingEngines(true), first: checkingEngines(false) }

function checkingEngines(collectsFaults: boolean): Record<Kind, Engine> {
  return {
    html: checkingEngine('html', collectsFaults),
    text: checkingEngine('text', collectsFaults),
    line: checkingEngine('line', collectsFaults),
    url: checkingEngine('url', collectsFaults),
  }
}

/** liquidjs copies the whole source for every fault: in large ones only the first is reported. */
function engineFor(part: Part, source: string, pieces: readonly Piece[]): Engine {
  const isLarge = source.length > 200_000 || pieces.length > 1_000
  return engines[isLarge ? 'first' : 'all'][kindOf[part]]
}

function attempt<T>(parse: () => T, source: string, engine: Engine): { value: T } | { faults: Fault[] } {
  try {
    return { value: parse() }
  } catch (error) {
    return { faults: liquidFaults(error, source, filterNames(engine)) }
  }
}

/** Faults that liquidjs accepts and EMMA rejects. */
function strictFaults(templates: readonly Template[], text: string, engine: Engine): Fault[] {
  const faults: Fault[] = groupFaults(templates, text, engine)
  for (const { template, value } of walkValues(templates)) {
    if (isComplete(value)) continue
    const { begin, end } = template.token
    faults.push({
      offset: begin,
      fault: mailFault('content.unclear', { text: text.slice(begin, Math.min(end, begin + 60)) }),
    })
  }
  for (const { index, 1: from, 2: to } of text.matchAll(/\((-?\d+)\.\.(-?\d+)\)/g)) {
    if (Number(to) - Number(from) < maxRepeats) continue
    faults.push({ offset: index, fault: mailFault('content.loop_long', { max: maxRepeats }) })
  }
  return faults
}

/** Brackets group conditions, and nothing else. liquidjs looks for the filters in them when it renders. */
function groupFaults(templates: readonly Template[], text: string, engine: Engine): Fault[] {
  const faults: Fault[] = []
  for (const template of walkTemplates(templates)) {
    const { begin, end } = template.token
    const isCondition = template instanceof IfTag || template instanceof UnlessTag
    const values: Iterable<unknown> = template.arguments?.() ?? []
    for (const value of values) {
      if (isCondition && value instanceof Value)
        for (const { filters } of groupsOf(value)) {
          const unknown = filters.find(({ name }) => !Object.hasOwn(engine.liquid.filters, name))
          if (unknown) faults.push({ offset: begin, fault: unknownFilter(unknown.name, filterNames(engine)) })
        }
      // Candidates of a cycle have the type of groups.
      const isWhole = value instanceof Value || template instanceof CycleTag
      if (isWhole ? !hasStrayGroup(value, isCondition) : !isGroupInside(value)) continue
      const shown = text.slice(begin, Math.min(end, begin + 60))
      faults.push({ offset: begin, fault: mailFault('content.unclear', { text: shown }) })
    }
  }
  return faults
}

/** True for a group that is no operand of a condition: the argument of a filter, a list, an index. */
function hasStrayGroup(value: unknown, mayGroup: boolean): boolean {
  if (value instanceof Value || TypeGuards.isFilteredValueToken(value)) {
    const isOperandStray = value.initial.postfix.some(
      token => (!mayGroup && TypeGuards.isFilteredValueToken(token)) || hasStrayGroup(token, mayGroup),
    )
    const args = value.filters.flatMap(filter => filter.args)
    return isOperandStray || args.some(arg => isGroupInside(Array.isArray(arg) ? arg[1] : arg))
  }
  if (TypeGuards.isRangeToken(value)) return isGroupInside(value.lhs) || isGroupInside(value.rhs)
  if (!TypeGuards.isPropertyAccessToken(value)) return false
  return value.props.some(isGroupInside) || isGroupInside(value.variable)
}

function isGroupInside(token: unknown): boolean {
  return TypeGuards.isFilteredValueToken(token) || hasStrayGroup(token, false)
}

/** Index of the first piece nested deeper than `limit` blocks, or with groups nested deeper than that; or -1. */
function deeperThan(pieces: readonly Piece[], limit: number): number {
  let depth = 0
  return pieces.findIndex(piece => {
    if (piece.type === 'text') return false
    if (groupDepth(piece.content) > limit) return true
    const content = piece.type === 'output' ? piece.content.trim() : piece.name
    if (/^(?:#?if|#?unless|for|case|capture|tablerow)\b/.test(content)) depth++
    if (/^(?:end|\/)/.test(content)) depth--
    return depth > limit
  })
}

/** Nesting of brackets outside quotes. */
function groupDepth(content: string): number {
  if (!content.includes('(')) return 0
  let depth = 0
  let deepest = 0
  for (const character of maskQuotes(content)) {
    if (character === '(') deepest = Math.max(deepest, ++depth)
    if (character === ')') depth--
  }
  return deepest
}
