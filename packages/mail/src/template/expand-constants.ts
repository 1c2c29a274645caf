import { urlKind } from '../links/link-url.ts'
import type { BrandValues } from './brand-values.ts'
import { attributeText, tokenizeHtml } from './html-tokens.ts'
import { type Engine, maxSlotText } from './liquid-engine.ts'
import type { JsonValue } from './json-value.ts'
import type { ParsedPart } from './parse-part.ts'
import { startRender } from './render-budget.ts'
import { type Piece, scanLiquid } from './scan-liquid.ts'
import type { Template } from 'liquidjs'
import { buildText, joinMarks } from './source-map.ts'
import { templateNames } from './template-names.ts'

/** What all recipients read. */
export interface Constants {
  brand?: BrandValues | undefined
  /** Of feeds and data feeds, without braces. */
  data?: Readonly<Record<string, JsonValue>> | undefined
}

/**
 * Writes constants into a part: outputs, conditions and loops that read nothing else. MJML needs them when it is
 * converted (names of networks, colors for Outlook, components of a loop), and constants cost nothing per recipient.
 * What reads other data too is left for rendering. Of data, whose texts are of others, only whole elements are written,
 * so that their links are numbered; single outputs are left, as the place decides how they are written.
 */
export function expandConstants<P extends Pick<ParsedPart, 'text' | 'marks' | 'pieces'>>(
  parsed: P,
  constants: Constants,
  engine: Engine,
): P {
  const { text, pieces } = parsed
  if (!/\b(?:brand|data)\b/.test(text) || isShadowed(text)) return parsed
  startRender()
  const built = buildText()
  let at = 0
  for (let index = 0; index < pieces.length; index++) {
    const end = lastPieceOf(pieces, index)
    if (end === null) continue
    const { start } = pieces[index]!
    const value = constantValue(text.slice(start, pieces[end]!.end), constants, engine)
    if (value === null) continue
    built.copy(text, at, start)
    built.put(value, start)
    at = pieces[end]!.end
    index = end
  }
  if (at === 0) return parsed
  built.copy(text, at, text.length)
  const done = built.done()
  return { ...parsed, text: done.text, marks: joinMarks(parsed.marks, done), pieces: scanLiquid(done.text) }
}

/** A variable of the template has the name. */
function isShadowed(text: string): boolean {
  return /\{%-?\s*(?:for|tablerow|assign|capture)\s+(?:brand|data)\b/.test(text)
}

/** Index of the last piece of an output or block that begins with a constant; null if there is none. */
function lastPieceOf(pieces: readonly Piece[], first: number): number | null {
  const piece = pieces[first]!
  if (piece.type === 'text' || !/\b(?:brand|data)\b/.test(piece.content)) return null
  if (piece.type === 'output') return first
  if (!/^(?:if|unless|for|case)$/.test(piece.name)) return null
  for (let index = first, depth = 0; index < pieces.length; index++) {
    const one = pieces[index]!
    if (one.type !== 'tag') continue
    if (/^(?:if|unless|for|case|capture|tablerow)$/.test(one.name)) depth++
    else if (/^end(?:if|unless|for|case|capture|tablerow)$/.test(one.name)) depth--
    if (depth === 0) return index
  }
  return null
}

/** Renders Liquid that reads constants alone; null for other Liquid. */
function constantValue(source: string, constants: Constants, engine: Engine): string | null {
  const templates = engine.liquid.parse(source)
  const { globals, locals } = templateNames(templates)
  const isConstant = ({ path: [root, name] }: { path: string[] }) =>
    (root === 'brand' || root === 'data') && name !== undefined && Object.hasOwn(constants[root] ?? {}, name)
  if (globals.length === 0 || locals.size > 0 || !globals.every(isConstant)) return null
  const value = rendered(engine, templates, constants)
  // The result is parsed as Liquid again.
  if (value === null || value.length > maxSlotText || /\{[{%]|[%}]\}/.test(value)) return null
  const isOfOthers = globals.some(({ path: [root] }) => root === 'data')
  if (isOfOthers && (/\|\s*raw\b/.test(source) || !isElements(value))) return null
  return engine.finish(value)
}

/** Null if it is too much for one mail: the fault is reported when the message is rendered. */
function rendered({ liquid }: Engine, templates: Template[], constants: Constants): string | null {
  try {
    const value: unknown = liquid.renderSync(templates, constants)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

/** Whole elements whose addresses run no scripts; nothing is none. */
function isElements(value: string): boolean {
  const text = value.trim()
  if (text === '') return true
  if (!text.startsWith('<') || !text.endsWith('>')) return false
  const isSafe = (address: string) => urlKind(address) !== 'dangerous'
  return tokenizeHtml(text).every(
    token => token.type !== 'open' || token.attributes.every(one => isSafe(attributeText(text, one))),
  )
}
