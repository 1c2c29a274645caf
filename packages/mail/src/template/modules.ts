import { mailFault, type MailFault, suggest } from '../mail-fault.ts'
import { closest } from './closest.ts'
import { type FeedItem, sampleItem, writeItems } from './feed-items.ts'
import type { JsonValue } from './json-value.ts'
import { escapeAttribute } from './html-entities.ts'
import { type HtmlToken, tokenizeHtml } from './html-tokens.ts'
import { maskLiquid, type Piece, scanLiquid } from './scan-liquid.ts'
import { buildText, joinMarks, type MappedText, originOf } from './source-map.ts'
import { isTextTooDeep, textFromHtml } from './text-from-html.ts'
import { escapeHtml } from './value-text.ts'
import { errorAt, type ParsedPart, parsePart } from './parse-part.ts'
import type { Part, TemplateError } from './template-error.ts'

/** A placeholder module: a text shared by many templates, inserted with `{{ module.NAME }}`. */
export interface Module {
  name: string
  type: 'text' | 'html' | 'url' | 'image' | 'code' | 'datasource_column' | 'mjml' | 'feed' | 'data'
  /** One body for all languages, or one per language (`de`, `en`, `es`). */
  body: string | Readonly<Record<string, string>>
  /** Must be in every message (the imprint). */
  isMandatory?: boolean
  /** Of a feed, whose body is the template of one item. */
  items?: readonly FeedItem[]
  /** Of a data feed: what templates read as `{{ data.NAME }}`. */
  data?: JsonValue
  /** The data differs by recipient: it is no constant, and links with it are not tracked. */
  isPersonal?: boolean
}

/** Maximum nesting of modules (domain.md, placeholder). */
const maxModuleDepth = 5

export interface Expansion extends MappedText {
  /** Names of inserted modules, direct and nested. */
  used: ReadonlySet<string>
  errors: readonly TemplateError[]
}

/**
 * Inserts the bodies of modules into a part. Bodies may contain placeholders and other modules. Text is escaped for
 * HTML (line breaks become `<br>`), attributes get the plain text only, text parts get HTML converted to text; `code`
 * is inserted unchanged.
 * @param source the part as the marketer wrote it: errors refer to positions in it
 * @param isMjml the part is MJML, where modules with sections of MJML can stand
 */
export function expandModules(
  part: Part,
  source: string,
  parsed: Pick<ParsedPart, 'text' | 'marks' | 'pieces'>,
  modules: readonly Module[],
  language: string,
  isMjml = false,
): Expansion {
  const used = new Set<string>()
  const errors: TemplateError[] = []
  const context: Context = { part, modules, language, isMjml, used, length: 0 }
  const inAttribute = attributeTest(parsed.text, parsed.pieces, part === 'html')
  const built = buildText()
  for (const piece of parsed.pieces) {
    const name = piece.type === 'output' ? moduleName(piece.content) : null
    if (name === null || errors.length >= maxErrors) {
      built.copy(parsed.text, piece.start, piece.end)
      continue
    }
    const result = expand(
      context,
      name,
      placeIn(part, () => inAttribute(piece.start)),
      [],
    )
    if (typeof result === 'string') built.put(result, piece.start)
    else errors.push(errorAt(part, source, originOf(parsed.marks, piece.start), result))
  }
  return { ...built.done(), used, errors }
}

/** Inserts the modules that hold MJML, which is converted with them, and leaves the others. */
export function expandMjmlModules(
  source: string,
  parsed: ParsedPart,
  modules: readonly Module[],
  language: string,
): { parsed: ParsedPart; used: ReadonlySet<string>; errors: readonly TemplateError[] } {
  const isMjml = (piece: Piece) => {
    const name = piece.type === 'output' ? moduleName(piece.content) : null
    return name !== null && findModule(modules, name)?.type === 'mjml'
  }
  if (!parsed.pieces.some(isMjml)) return { parsed, used: new Set(), errors: [] }
  const pieces = parsed.pieces.map(piece => (isMjml(piece) ? piece : { ...piece, type: 'text' as const }))
  const expansion = expandModules('html', source, { ...parsed, pieces }, modules, language, true)
  const { text, used, errors } = expansion
  return {
    parsed: { ...parsed, text, marks: joinMarks(parsed.marks, expansion), pieces: scanLiquid(text) },
    used,
    errors,
  }
}

/**
 * Names that texts insert (or read, as `data.NAME`), directly or through other modules; more than these if a text only
 * mentions one.
 */
export function insertedModules(
  texts: readonly string[],
  modules: readonly Pick<Module, 'name' | 'body'>[],
): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...texts]
  for (let text = open.pop(); text !== undefined; text = open.pop())
    for (const match of text.matchAll(mention)) {
      const module = findModule(modules, match[1] ?? match[2] ?? match[3] ?? '')
      if (!module || found.has(module.name)) continue
      found.add(module.name)
      open.push(...(typeof module.body === 'string' ? [module.body] : Object.values(module.body)))
    }
  return found
}

const mention = /\b(?:module|data)(?:\.([\w-]{1,80})|\[\s{0,9}(?:"([^"]{0,80})"|'([^']{0,80})'))/gu

/** The nesting of a module that no template can use: a circle or too many levels, with their path; otherwise null. */
export function findNestingFault(
  name: string,
  modules: readonly Module[],
  language: string,
): MailFault | null {
  const isMjml = findModule(modules, name)?.type === 'mjml'
  const shown = modules.map(one => (one.type === 'feed' ? { ...one, items: [sampleItem] } : one))
  const context: Context = { part: 'html', modules: shown, language, isMjml, used: new Set(), length: 0 }
  const result = expand(context, name, 'html', [])
  return typeof result !== 'string' && nestingFaults.has(result.code) ? result : null
}

const nestingFaults: ReadonlySet<MailFault['code']> = new Set([
  'content.module_circle',
  'content.module_deep',
])

type Place = 'html' | 'attribute' | 'text'

interface Context {
  part: Part
  modules: readonly Module[]
  language: string
  isMjml: boolean
  used: Set<string>
  /** Total length of inserted bodies: bounds modules that double each other five times. */
  length: number
}

const maxExpandedLength = 1_000_000

/** Limit of reported errors. */
const maxErrors = 20

/** A preheader is text inside HTML, like an attribute: escaped, without markup. */
function placeIn(part: Part, isInAttribute: () => boolean): Place {
  if (part === 'preheader') return 'attribute'
  if (part !== 'html') return 'text'
  return isInAttribute() ? 'attribute' : 'html'
}

/**
 * Name of the module that an output inserts, or null. Filters are not possible on a module and are reported
 * elsewhere.
 */
function moduleName(content: string): string | null {
  const match = /^\s*module(?:\.([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)')\s*\])\s*$/u.exec(content)
  return match ? (match[1] ?? match[2] ?? match[3] ?? null) : null
}

function expand(context: Context, name: string, place: Place, path: readonly string[]): string | MailFault {
  const module = findModule(context.modules, name)
  if (!module) {
    const near = closest(
      name,
      context.modules.map(one => one.name),
    )
    return suggest(mailFault('content.module_unknown', { name }), near && `module.${near}`)
  }
  const inside = [...path, module.name]
  if (path.includes(module.name)) return mailFault('content.module_circle', { path: inside.join(' → ') })
  if (inside.length > maxModuleDepth) {
    return mailFault('content.module_deep', { max: maxModuleDepth, path: inside.join(' → ') })
  }
  context.used.add(module.name)
  const result = writeModule(context, module, place, inside)
  if (typeof result !== 'string') return result
  context.length += result.length
  if (context.length > maxExpandedLength) return mailFault('content.module_long')
  return result
}

function findModule<M extends Pick<Module, 'name'>>(modules: readonly M[], name: string): M | undefined {
  return (
    modules.find(one => one.name === name) ??
    modules.find(one => one.name.toLowerCase() === name.toLowerCase())
  )
}

function writeModule(
  context: Context,
  module: Module,
  place: Place,
  path: readonly string[],
): string | MailFault {
  const body = bodyOf(module, context.language)
  switch (module.type) {
    case 'datasource_column':
      return columnOutput(module, body)
    case 'mjml':
      if (!context.isMjml || place !== 'html') return mailFault('content.module_mjml', { name: module.name })
      return expandBody(context, module, body, place, path, text => text)
    case 'code':
      return expandBody(context, module, body, place, path, text => text)
    case 'html':
      return writeHtml(context, module, body, place, path)
    case 'data':
      return mailFault('content.module_data', { name: module.name, example: `{{ data.${module.name}.… }}` })
    case 'feed':
      return writeHtml(context, module, writeItems(body, module.items ?? [], context.language), place, path)
    case 'image':
      return writeImage(context, module, body, place, path)
    case 'url':
      return expandBody(context, module, body.trim(), place, path, text => escapeFor(text, place))
    default:
      return expandBody(context, module, body, place, path, text => escapeFor(text, place))
  }
}

/** Returns the body in the message's language, otherwise its base language, English, or any. */
export function bodyOf(module: Module, language: string): string {
  if (typeof module.body === 'string') return module.body
  const bodies = new Map(Object.entries(module.body))
  const wanted = [language, language.split(/[-_]/)[0] ?? '', 'en']
  for (const one of wanted) {
    const body = bodies.get(one)
    if (body) return body
  }
  return [...bodies.values()].find(body => body !== '') ?? ''
}

function columnOutput(module: Module, body: string): string | MailFault {
  const column = body.trim().replace(/^member\./, '')
  if (/^\w+$/.test(column)) return `{{ member.${column} }}`
  return mailFault('content.module_column', { name: module.name })
}

function writeHtml(
  context: Context,
  module: Module,
  body: string,
  place: Place,
  path: readonly string[],
): string | MailFault {
  const html = expandBody(context, module, body, 'html', path, text => text)
  if (typeof html !== 'string' || place === 'html') return html
  if (isTextTooDeep(html)) return mailFault('content.module_nested', { name: module.name })
  const text = textFromHtml(html)
  return place === 'text' ? text : escapeConstants(text.replaceAll(/\s+/g, ' ').trim())
}

function writeImage(
  context: Context,
  module: Module,
  body: string,
  place: Place,
  path: readonly string[],
): string | MailFault {
  const source = expandBody(context, module, body.trim(), 'attribute', path, escapeAttribute)
  if (typeof source !== 'string' || place === 'attribute') return source
  if (place === 'text') return ''
  return `<img src="${source}" alt="${escapeAttribute(module.name)}" border="0" style="display:block;max-width:100%">`
}

function expandBody(
  context: Context,
  module: Module,
  body: string,
  place: Place,
  path: readonly string[],
  write: (text: string) => string,
): string | MailFault {
  const parsed = parsePart(place === 'text' ? 'text' : 'html', body)
  if (!('pieces' in parsed)) {
    const [first] = parsed
    return mailFault('content.in_module', {
      name: module.name,
      line: first?.line ?? 1,
      fault: first?.fault ?? '',
    })
  }
  const isMarkup = place === 'html' && markupTypes.has(module.type)
  const inAttribute = attributeTest(parsed.text, parsed.pieces, isMarkup)
  let result = ''
  for (const piece of parsed.pieces) {
    const original = parsed.text.slice(piece.start, piece.end)
    const name = piece.type === 'output' ? moduleName(piece.content) : null
    if (piece.type === 'text') result += write(original)
    else if (name === null) result += original
    else {
      const nested = expand(context, name, inAttribute(piece.start) ? 'attribute' : place, path)
      if (typeof nested !== 'string') return nested
      result += nested
    }
  }
  return result
}

const markupTypes: ReadonlySet<Module['type']> = new Set(['html', 'code', 'mjml', 'feed'])

function escapeFor(text: string, place: Place): string {
  if (place === 'text') return text
  if (place === 'attribute') return escapeAttribute(text.replaceAll(/\s*\n\s*/g, ' '))
  return escapeHtml(text).replaceAll(/\r?\n/g, '<br>\n')
}

/** Escapes text for an attribute, except its placeholders. */
function escapeConstants(text: string): string {
  return scanLiquid(text)
    .map(({ type, start, end }) =>
      type === 'text' ? escapeAttribute(text.slice(start, end)) : text.slice(start, end),
    )
    .join('')
}

/** Returns a function that tells whether an offset is in an attribute value. */
function attributeTest(text: string, pieces: readonly Piece[], isHtml: boolean): (offset: number) => boolean {
  if (!isHtml || !/\bmodule\b/.test(text)) return () => false
  const ranges = tokenizeHtml(maskLiquid(text, pieces)).flatMap(attributeRanges)
  return offset => ranges.some(range => offset >= range.start && offset < range.end)
}

function attributeRanges(token: HtmlToken): { start: number; end: number }[] {
  if (token.type !== 'open') return []
  return token.attributes.flatMap(one => (one.value ? [one.value] : []))
}
