import { liquidEngine, maxSlotText } from './liquid-engine.ts'
import { withoutBracesIn } from './without-braces.ts'
import { scanLiquid } from './scan-liquid.ts'
import { templateNames } from './template-names.ts'

/** An entry of a feed. All values are text, not markup; missing ones are empty. */
export interface FeedItem {
  /** Identifies the item in its feed. */
  key: string
  title: string
  /** Web address, or empty. */
  link: string
  summary: string
  /** Web address, or empty. */
  image: string
  /** ISO 8601, or empty. */
  date: string
}

export const sampleItem: FeedItem = { key: '', title: '', link: '', summary: '', image: '', date: '' }

/** Template of an item if the placeholder has none. */
const plainItem =
  '<p style="margin:0 0 16px"><a href="{{ item.link }}"><b>{{ item.title }}</b></a><br>{{ item.summary }}</p>\n'

/**
 * Writes the template once for each item. Outputs and conditions that read only the item become constants, so that
 * links are numbered and tracked like others; the rest is left for rendering.
 */
export function writeItems(template: string, items: readonly FeedItem[], language: string): string {
  const body = template.trim() === '' ? plainItem : template
  return items.map(item => writeItem(body, item, language)).join('')
}

function writeItem(text: string, item: FeedItem, language: string): string {
  const engine = liquidEngine('html', { language, timeZone: 'UTC' })
  const pieces = scanLiquid(text)
  let written = ''
  for (let index = 0; index < pieces.length; index++) {
    const end = blockEnd(pieces, index)
    const source = text.slice(pieces[index]!.start, pieces[end ?? index]!.end)
    const value = end === null ? null : constantOf(source, item, engine)
    written += value ?? text.slice(pieces[index]!.start, pieces[index]!.end)
    if (value !== null && end !== null) index = end
  }
  return written
}

type Pieces = ReturnType<typeof scanLiquid>

/** Last piece of the output or condition that begins at a piece; null if none does. */
function blockEnd(pieces: Pieces, first: number): number | null {
  const piece = pieces[first]!
  if (piece.type === 'text' || !/\bitem\b/.test(piece.content)) return null
  if (piece.type === 'output') return first
  if (piece.name !== 'if' && piece.name !== 'unless') return null
  for (let index = first, depth = 0; index < pieces.length; index++) {
    const one = pieces[index]!
    if (one.type !== 'tag') continue
    if (one.name === 'if' || one.name === 'unless') depth++
    else if (one.name === 'endif' || one.name === 'endunless') depth--
    if (depth === 0) return index
  }
  return null
}

/** Null for what reads other data too, or leaves out escaping: texts of others never become markup. */
function constantOf(source: string, item: FeedItem, engine: ReturnType<typeof liquidEngine>): string | null {
  try {
    const templates = engine.liquid.parse(source)
    const { globals, locals } = templateNames(templates)
    const isItem = ({ path: [root, name] }: { path: string[] }) =>
      root === 'item' && name !== undefined && name !== 'key' && Object.hasOwn(item, name)
    if (globals.length === 0 || locals.size > 0 || !globals.every(isItem) || /\|\s*raw\b/.test(source))
      return null
    const value: unknown = engine.liquid.renderSync(templates, { item: withoutBraces(item) })
    return typeof value === 'string' && value.length <= maxSlotText ? engine.finish(value) : null
  } catch {
    // A fault of the template: it is reported where the message is compiled.
    return null
  }
}

/** The result is parsed as Liquid again, where braces begin a placeholder. */
function withoutBraces(item: FeedItem): Omit<FeedItem, 'key'> {
  const { title, link, summary, image, date } = item
  return {
    title: withoutBracesIn(title),
    link: withoutBracesIn(link),
    summary: withoutBracesIn(summary),
    image: withoutBracesIn(image),
    date: withoutBracesIn(date),
  }
}
