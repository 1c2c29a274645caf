/**
 * HTML tokenizer that only reports positions. Offsets are exact, so that edits leave every other byte unchanged.
 * Follows the tokenizer of the HTML standard (section 13.2.5) for tags, attributes, comments and raw text, and also
 * parses Outlook's conditional comments, whose links count too.
 */
export type HtmlToken = OpenTag | CloseTag | TextToken | CommentToken

export interface OpenTag {
  type: 'open'
  /** Lower case. */
  name: string
  start: number
  end: number
  /** Offset of the name's end, where an attribute can be inserted. */
  nameEnd: number
  attributes: Attribute[]
  /** Written `<x/>`, which ends an element in XML only. */
  selfClosing: boolean
  /** Inside a conditional comment. */
  conditional: boolean
}

export interface CloseTag {
  type: 'close'
  name: string
  start: number
  end: number
  conditional: boolean
}

export interface TextToken {
  type: 'text'
  start: number
  end: number
  /** Content of script, style, title, textarea and similar: contains no tags and no comments. */
  raw: boolean
  conditional: boolean
}

/** Comments, doctypes, and the brackets `<!--[if …]>` and `<![endif]-->` of conditional comments. */
export interface CommentToken {
  type: 'comment'
  start: number
  end: number
}

export interface Attribute {
  /** Lower case; empty for masked Liquid in the position of an attribute. */
  name: string
  start: number
  end: number
  /** Without quotes; null if there is no value. */
  value: { start: number; end: number; quote: '"' | "'" | '' } | null
}

/** Elements whose content is text up to their end tag. */
const rawText = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'])

/**
 * Splits HTML into contiguous tokens.
 * @param html with Liquid masked (see `maskLiquid`); masked Liquid inside a tag becomes a nameless attribute
 */
export function tokenizeHtml(html: string, maskCharacter = '\ue000'): HtmlToken[] {
  const reader: Reader = { html, mask: maskCharacter, tokens: [], textStart: 0 }
  readRange(reader, 0, html.length, false)
  return reader.tokens
}

/**
 * Maximum nesting depth, approximately: elements without an end tag are ignored. Programs that build a tree take
 * quadratic time for it.
 */
export function nestingDepth(tokens: readonly HtmlToken[], isXml = false): number {
  let depth = 0
  let deepest = 0
  for (const token of tokens) {
    if ((token.type !== 'open' && token.type !== 'close') || endlessElements.has(token.name)) continue
    if (isXml && token.type === 'open' && token.selfClosing) continue
    depth = token.type === 'open' ? depth + 1 : Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const endlessElements = new Set(
  'area base br col dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr track wbr'.split(
    ' ',
  ),
)

/** Returns the first attribute with that name, as in the standard, or undefined. */
export function attribute(tag: OpenTag, name: string): Attribute | undefined {
  return tag.attributes.find(one => one.name === name)
}

/** Returns the source text of an attribute's value (entities not decoded); empty if it has none. */
export function attributeText(html: string, one: Attribute | undefined): string {
  return one?.value ? html.slice(one.value.start, one.value.end) : ''
}

interface Reader {
  html: string
  mask: string
  tokens: HtmlToken[]
  /** Start of the text that is not yet a token. */
  textStart: number
}

function readRange(reader: Reader, start: number, end: number, conditional: boolean): void {
  let at = start
  reader.textStart = start
  while (at < end) {
    const open = reader.html.indexOf('<', at)
    if (open === -1 || open >= end - 1) break
    at = readMarkup(reader, open, end, conditional)
  }
  flushText(reader, end, conditional)
}

/**
 * Parses markup that begins with `<` and returns the offset after it. A tag that is never closed makes the rest text;
 * the search for its end is not repeated.
 */
function readMarkup(reader: Reader, open: number, end: number, conditional: boolean): number {
  const second = reader.html[open + 1] ?? ''
  if (isLetter(second)) return readOpenTag(reader, open, end, conditional)
  if (second === '/') return readCloseTag(reader, open, end, conditional)
  if (second === '!' || second === '?') return readComment(reader, open, end, conditional)
  return open + 1
}

function flushText(reader: Reader, end: number, conditional: boolean, raw = false): void {
  if (end > reader.textStart)
    reader.tokens.push({ type: 'text', start: reader.textStart, end, raw, conditional })
  reader.textStart = end
}

function push(reader: Reader, token: HtmlToken, conditional: boolean): number {
  flushText(reader, token.start, conditional)
  reader.tokens.push(token)
  reader.textStart = token.end
  return token.end
}

function readOpenTag(reader: Reader, open: number, end: number, conditional: boolean): number {
  let at = open + 1
  while (at < end && !isNameEnd(reader.html[at]!, reader.mask)) at++
  const name = reader.html.slice(open + 1, at).toLowerCase()
  const nameEnd = at
  const attributes: Attribute[] = []
  for (;;) {
    while (at < end && (isSpace(reader.html[at]!) || reader.html[at] === '/')) at++
    if (at >= end) return end
    if (reader.html[at] === '>') break
    const one = readAttribute(reader, at, end)
    attributes.push(one)
    at = one.end
  }
  const selfClosing = reader.html[at - 1] === '/'
  const tag: OpenTag = {
    type: 'open',
    name,
    start: open,
    end: at + 1,
    nameEnd,
    attributes,
    selfClosing,
    conditional,
  }
  push(reader, tag, conditional)
  return rawText.has(name) ? readRawText(reader, name, at + 1, end, conditional) : at + 1
}

function readAttribute(reader: Reader, start: number, end: number): Attribute {
  const { html, mask } = reader
  let at = start
  if (html[at] === mask) {
    while (at < end && html[at] === mask) at++
    return { name: '', start, end: at, value: null }
  }
  // A leading "=" belongs to the name.
  do at++
  while (at < end && !isNameEnd(html[at]!, mask) && html[at] !== '=')
  const name = html.slice(start, at).toLowerCase()
  const nameEnd = at
  while (at < end && isSpace(html[at]!)) at++
  if (html[at] !== '=' || at >= end) return { name, start, end: nameEnd, value: null }
  at++
  while (at < end && isSpace(html[at]!)) at++
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, at + 1)
    const valueEnd = close === -1 || close >= end ? end : close
    return { name, start, end: Math.min(valueEnd + 1, end), value: { start: at + 1, end: valueEnd, quote } }
  }
  const valueStart = at
  while (at < end && !isSpace(html[at]!) && html[at] !== '>') at++
  return { name, start, end: at, value: { start: valueStart, end: at, quote: '' } }
}

function readCloseTag(reader: Reader, open: number, end: number, conditional: boolean): number {
  const match = closeTag(reader.html, open)
  const close = reader.html.indexOf('>', open)
  if (close === -1 || close >= end) return end
  if (match === null) return push(reader, { type: 'comment', start: open, end: close + 1 }, conditional)
  return push(reader, { type: 'close', name: match, start: open, end: close + 1, conditional }, conditional)
}

function closeTag(html: string, open: number): string | null {
  closeTagName.lastIndex = open
  return closeTagName.exec(html)?.[1]?.toLowerCase() ?? null
}

const closeTagName = /<\/([a-z][^\s/>]*)/iy

function readComment(reader: Reader, open: number, end: number, conditional: boolean): number {
  const { html } = reader
  if (!html.startsWith('<!--', open)) {
    const close = html.indexOf('>', open)
    const stop = close === -1 || close >= end ? end : close + 1
    return push(reader, { type: 'comment', start: open, end: stop }, conditional)
  }
  if (html.startsWith('<!-->', open))
    return push(reader, { type: 'comment', start: open, end: open + 5 }, conditional)
  if (html.startsWith('<!--->', open))
    return push(reader, { type: 'comment', start: open, end: open + 6 }, conditional)
  const close = html.indexOf('-->', open + 4)
  const stop = close === -1 || close >= end ? end : close + 3
  const inner = conditional ? null : conditionalContent(html, open, close === -1 ? end : close)
  if (!inner) return push(reader, { type: 'comment', start: open, end: stop }, conditional)
  push(reader, { type: 'comment', start: open, end: inner.start }, conditional)
  readRange(reader, inner.start, inner.end, true)
  return push(reader, { type: 'comment', start: inner.end, end: stop }, conditional)
}

/** Content between `<!--[if …]>` and `<![endif]-->`; null for other comments. */
function conditionalContent(
  html: string,
  open: number,
  close: number,
): { start: number; end: number } | null {
  conditionalOpen.lastIndex = open
  const match = conditionalOpen.exec(html)
  if (!match) return null
  const start = open + match[0].length
  const length = html.slice(start, close).lastIndexOf('<![endif]')
  return length === -1 ? null : { start, end: start + length }
}

const conditionalOpen = /<!--\[if\b[^\]]{0,200}\]>/iy

function readRawText(reader: Reader, name: string, start: number, end: number, conditional: boolean): number {
  const find = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  find.lastIndex = start
  const found = find.exec(reader.html)
  const stop = found && found.index < end ? found.index : end
  reader.textStart = start
  flushText(reader, stop, conditional, true)
  return stop
}

function isLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
}

function isSpace(character: string): boolean {
  return (
    character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f'
  )
}

function isNameEnd(character: string, maskCharacter: string): boolean {
  return isSpace(character) || character === '/' || character === '>' || character === maskCharacter
}
