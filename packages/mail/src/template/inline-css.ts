import { inline } from '@css-inline/css-inline'
import { applyEdits, type Edit } from './html-edits.ts'
import { decodeEntities } from './html-entities.ts'
import { attribute, attributeText, type HtmlToken, type OpenTag, tokenizeHtml } from './html-tokens.ts'
import { maskLiquid, type Piece, protectLiquid, scanLiquid } from './scan-liquid.ts'

/**
 * Copies rules of `<style>` elements into style attributes, for mail programs that ignore style elements. The inliner
 * works on a marked copy, and only the computed style attributes are copied back: conditional comments, Liquid,
 * invalid nesting and every other byte stay unchanged. Style elements stay too (media queries, hover). Nothing is
 * loaded: `<link>` style sheets are ignored.
 */
export function inlineCss(html: string): string {
  const pieces = scanLiquid(html)
  const tokens = tokenizeHtml(maskLiquid(html, pieces))
  const cost = inliningCost(html, tokens)
  if (cost === 0 || cost > maxInliningCost) return html
  const tags = tokens.filter(isStyleable)
  const isConditional: IsLeftOut = style => hasCondition(style, pieces)
  // The inliner fails on a single invalid style attribute; then all existing ones are excluded and appended to the
  // computed ones.
  for (const isLeftOut of [isConditional, () => true]) {
    const copy = markedCopy(html, pieces, tokens, tags, isLeftOut)
    const inlined = attemptInline(copy.text)
    if (inlined === null) continue
    const computed = computedStyles(inlined)
    const edits: Edit[] = []
    let length = 0
    for (const [index, tag] of tags.entries()) {
      const style = computed.get(index)
      if (style === undefined) continue
      edits.push(...styleEdit(html, tag, style, copy, isLeftOut))
      length += style.length
    }
    return length > MAX_INLINED_LENGTH ? html : applyEdits(html, edits)
  }
  return html
}

/** True for style attributes that are hidden from the inliner. */
type IsLeftOut = (style: { start: number; end: number }) => boolean

/** Null for CSS that css-inline cannot parse; it throws untyped errors. */
function attemptInline(html: string): string | null {
  try {
    return inline(html, { loadRemoteStylesheets: false, keepStyleTags: true })
  } catch {
    return null
  }
}

/** Larger than any receiver accepts. */
const MAX_INLINED_LENGTH = 10_000_000

/** Above this cost (some seconds at most) styles are not inlined. */
export const maxInliningCost = 8_000_000

/**
 * Estimates the cost of inlining in selector matches: each selector is tried on each element, each element may get
 * all declarations, and each declaration is compared with those an element has.
 */
export function inliningCost(html: string, tokens: readonly HtmlToken[]): number {
  let selectors = 0
  let length = 0
  let declarations = 0
  const properties = new Set<string>()
  for (const css of styleSheets(html, tokens)) {
    const names = propertyNames(css)
    selectors += selectorCount(css)
    length += css.length
    declarations += names.length
    for (const name of names) properties.add(name)
  }
  if (selectors === 0) return 0
  const elements = tokens.filter(isStyleable)
  let cost = 0
  for (const element of elements) {
    const own = propertyNames(attributeText(html, attribute(element, 'style'))).length
    const compared = (declarations + own) * (properties.size + own)
    cost += ELEMENT_COST + selectors + length / LENGTH_PER_COST + compared / COMPARED_PER_COST
  }
  return cost
}

/** Measured with css-inline 0.20.1: a cost of a million takes a third of a second at most. */
const ELEMENT_COST = 100
const LENGTH_PER_COST = 25
const COMPARED_PER_COST = 100

function* styleSheets(html: string, tokens: readonly HtmlToken[]): Generator<string> {
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    const isStyle = token.type === 'text' && token.raw && before?.type === 'open' && before.name === 'style'
    if (isStyle && !token.conditional) yield html.slice(token.start, token.end)
  }
}

/** Approximate: text before the colons of declarations and pseudo-classes. */
function propertyNames(css: string): string[] {
  return css.split(/[;{}]/).flatMap(part => {
    const colon = part.indexOf(':')
    return colon < 0 ? [] : [part.slice(0, colon).trim()]
  })
}

/** Approximate: a long selector counts as several, and commas in values count too. */
export function selectorCount(css: string): number {
  const rules = css.split('{')
  rules.pop()
  let count = css.includes('{') ? css.split(/[{,]/).length - 1 : 0
  for (const rule of rules) {
    const prelude = rule.slice(rule.lastIndexOf('}') + 1)
    count += Math.floor((prelude.split(/[\s:.#[>+~*]+/).length - 1) / SIMPLE_SELECTORS_OF_ONE)
  }
  return count
}

const SIMPLE_SELECTORS_OF_ONE = 4

function isStyleable(token: HtmlToken): token is OpenTag {
  return token.type === 'open' && !token.conditional && !headElements.has(token.name)
}

const headElements = new Set([
  'html',
  'head',
  'title',
  'meta',
  'link',
  'style',
  'script',
  'base',
  'noscript',
  'template',
])

interface MarkedCopy {
  text: string
  restore: (text: string) => string
}

const marker = 'data-emma-inline'

/**
 * Returns the copy for the inliner: every element is numbered; Liquid becomes comments (in text, where even a table
 * allows them) and words (in attributes and style elements). Style attributes with conditions are excluded: they are
 * not CSS before rendering.
 */
function markedCopy(
  html: string,
  pieces: readonly Piece[],
  tokens: readonly HtmlToken[],
  tags: readonly OpenTag[],
  isLeftOut: IsLeftOut,
): MarkedCopy {
  const { words, restore } = protectLiquid(html, pieces)
  const edits: Edit[] = []
  for (const [index, tag] of tags.entries()) {
    edits.push({ start: tag.nameEnd, end: tag.nameEnd, text: ` ${marker}="${index}"` })
    const style = attribute(tag, 'style')
    if (style && isLeftOut(style)) edits.push({ start: style.start, end: style.end, text: '' })
    edits.push(...uncertainNames(tag, pieces))
  }
  for (const token of tokens) {
    if (token.type === 'open' && token.name === 'link')
      edits.push({ start: token.start, end: token.end, text: '' })
  }
  const removed = edits.filter(edit => edit.end > edit.start).toSorted((a, b) => a.start - b.start)
  for (const piece of pieces) {
    if (piece.type === 'text') continue
    while (removed[0] && removed[0].end <= piece.start) removed.shift()
    if (removed[0] && removed[0].start <= piece.start) continue
    edits.push({
      start: piece.start,
      end: piece.end,
      text: placed(tokens, piece.start, words.get(piece.start) ?? ''),
    })
  }
  return { text: applyEdits(html, edits), restore }
}

/** Conditional classes of an element must not be inlined. */
function uncertainNames(tag: OpenTag, pieces: readonly Piece[]): Edit[] {
  const isConditional = tag.attributes.some(one => one.name === '')
  return tag.attributes.flatMap(one => {
    if ((one.name !== 'class' && one.name !== 'id') || !one.value) return []
    if (isConditional) return [{ start: one.start, end: one.end, text: '' }]
    const { start, end } = one.value
    const tags = pieces.filter(piece => piece.type === 'tag' && piece.start >= start && piece.end <= end)
    const [first] = tags
    const last = tags.at(-1)
    return first && last ? [{ start: first.start, end: last.end, text: '' }] : []
  })
}

function hasCondition(range: { start: number; end: number }, pieces: readonly Piece[]): boolean {
  return pieces.some(piece => piece.type === 'tag' && piece.start >= range.start && piece.start < range.end)
}

/** A word in a form that is not markup at its position. */
function placed(tokens: readonly HtmlToken[], offset: number, word: string): string {
  const token = tokenAt(tokens, offset)
  if (token?.type === 'text' && !token.raw && !token.conditional) return `<!--${word}-->`
  if (token?.type !== 'open') return word
  const inValue = token.attributes.some(({ value }) => value && offset >= value.start && offset < value.end)
  return inValue ? word : ''
}

function tokenAt(tokens: readonly HtmlToken[], offset: number): HtmlToken | undefined {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokens[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  return tokens[low - 1]
}

/** Computed style attributes, by element number. */
function computedStyles(html: string): Map<number, string> {
  const styles = new Map<number, string>()
  for (const token of tokenizeHtml(html)) {
    if (token.type !== 'open') continue
    const number = attributeText(html, attribute(token, marker))
    const style = attribute(token, 'style')
    if (number !== '' && style) styles.set(Number(number), attributeText(html, style))
  }
  return styles
}

function styleEdit(
  html: string,
  tag: OpenTag,
  computed: string,
  copy: MarkedCopy,
  isLeftOut: IsLeftOut,
): Edit[] {
  const style = attribute(tag, 'style')
  const written = copy.restore(computed)
  if (!style) {
    const at = tag.attributes.at(-1)?.end ?? tag.nameEnd
    return [{ start: at, end: at, text: ` style="${written}"` }]
  }
  const before = attributeText(html, style)
  if (isLeftOut(style)) {
    const joined = written === '' ? before : `${written.replace(/;\s*$/, '')}; ${before}`
    return [{ start: style.start, end: style.end, text: `style="${joined}"` }]
  }
  if (decodeEntities(written) === decodeEntities(before)) return []
  return [{ start: style.start, end: style.end, text: `style="${written}"` }]
}
