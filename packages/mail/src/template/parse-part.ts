import { mailFault, type MailFault } from '../mail-fault.ts'
import type { Template } from 'liquidjs'
import { type Fault, liquidFaults } from './liquid-faults.ts'
import { checkingEngine, type Engine, filterNames, type Kind } from './liquid-engine.ts'
import { normaliseLiquid } from './normalise-liquid.ts'
import { type Piece, scanLiquid } from './scan-liquid.ts'
import { type MappedText, originOf } from './source-map.ts'
import { type Part, placeOf, TemplateError } from './template-error.ts'
import { isComplete, walkValues } from './walk-templates.ts'

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
  const faults = 'faults' in parsed ? parsed.faults : strictFaults(parsed.value, written.text)
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
function strictFaults(templates: readonly Template[], text: string): Fault[] {
  const faults: Fault[] = []
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

/** Index of the first piece nested deeper than `limit` blocks, or -1. */
function deeperThan(pieces: readonly Piece[], limit: number): number {
  let depth = 0
  return pieces.findIndex(piece => {
    if (piece.type === 'text') return false
    const content = piece.type === 'output' ? piece.content.trim() : piece.name
    if (/^(?:#?if|#?unless|for|case|capture|tablerow)\b/.test(content)) depth++
    if (/^(?:end|\/)/.test(content)) depth--
    return depth > limit
  })
}
