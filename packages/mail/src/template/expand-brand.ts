import type { BrandValues } from './brand-values.ts'
import { type Engine, maxSlotText } from './liquid-engine.ts'
import type { ParsedPart } from './parse-part.ts'
import { type Piece, scanLiquid } from './scan-liquid.ts'
import { buildText, joinMarks } from './source-map.ts'
import { templateNames } from './template-names.ts'

/**
 * Writes the values of the brand into a part: outputs, conditions and loops that read nothing else. MJML needs them
 * when it is converted (names of networks, colors for Outlook), and constants cost nothing per recipient. What reads
 * other data too is left for rendering.
 */
export function expandBrand<P extends Pick<ParsedPart, 'text' | 'marks' | 'pieces'>>(
  parsed: P,
  brand: BrandValues | undefined,
  engine: Engine,
): P {
  const { text, pieces } = parsed
  if (!brand || !/\bbrand\b/.test(text) || isShadowed(text)) return parsed
  const built = buildText()
  let at = 0
  for (let index = 0; index < pieces.length; index++) {
    const end = lastPieceOf(pieces, index)
    if (end === null) continue
    const { start } = pieces[index]!
    const value = constantValue(text.slice(start, pieces[end]!.end), brand, engine)
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
  return /\{%-?\s*(?:for|tablerow|assign|capture)\s+brand\b/.test(text)
}

/** Index of the last piece of an output or block that begins with the brand; null if there is none. */
function lastPieceOf(pieces: readonly Piece[], first: number): number | null {
  const piece = pieces[first]!
  if (piece.type === 'text' || !/\bbrand\b/.test(piece.content)) return null
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

/** Renders Liquid that reads known values of the brand alone; null for other Liquid. */
function constantValue(source: string, brand: BrandValues, { liquid, finish }: Engine): string | null {
  const templates = liquid.parse(source)
  const { globals, locals } = templateNames(templates)
  const isBrand = ({ path: [root, name] }: { path: string[] }) =>
    root === 'brand' && name !== undefined && Object.hasOwn(brand, name)
  if (globals.length === 0 || locals.size > 0 || !globals.every(isBrand)) return null
  const value: unknown = liquid.renderSync(templates, { brand })
  // The result is parsed as Liquid again.
  return typeof value === 'string' && value.length <= maxSlotText && !/\{[{%]|[%}]\}/.test(value)
    ? finish(value)
    : null
}
