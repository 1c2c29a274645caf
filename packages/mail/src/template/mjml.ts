import { mailFault, type MailFault } from '../mail-fault.ts'
import { applyEdits, type Edit } from './html-edits.ts'
import { isCountedMark } from './counted-mark.ts'
import { attribute, type HtmlToken, nestingDepth, type OpenTag, tokenizeHtml } from './html-tokens.ts'
import { selectorCount } from './inline-css.ts'
import { contentComponents } from './mjml-content.ts'
import type { ParsedPart } from './parse-part.ts'
import { mask, maskLiquid, type Piece, protectLiquid } from './scan-liquid.ts'
import { runMjmlSections } from './mjml-sections.ts'
import { type Finding, runMjml } from './run-mjml.ts'
import type { SectionCache } from './section-cache.ts'
import { originOf } from './source-map.ts'
import { placeOf, TemplateError, warningOf, type Warning } from './template-error.ts'

export interface MjmlResult {
  /** With the source's Liquid in its place; empty if there are errors. */
  html: string
  errors: readonly TemplateError[]
  warnings: readonly Warning[]
}

/**
 * Converts MJML to HTML. Conditions may be placed between components (they are wrapped in `<mj-raw>`), in contents
 * and in attribute values. Files cannot be included. Structural faults are errors, unknown attributes are warnings.
 * @param source as the marketer wrote it; `parsed` is its result of `parsePart`
 * @param sections rendered before; they are not rendered again
 */
export async function mjmlToHtml(
  source: string,
  parsed: ParsedPart,
  sections?: SectionCache,
): Promise<MjmlResult> {
  const refused = refusedTags(source, parsed)
  if (refused.length > 0) return { html: '', errors: refused, warnings: [] }
  const { text, restore, wrapped } = protectMjml(parsed)
  const made = (sections && (await runMjmlSections(text, sections))) ?? (await runMjml(text))
  if (made instanceof Error) {
    return { html: '', errors: [new TemplateError('html', 1, 1, parseFailure(made))], warnings: [] }
  }
  if (made.html.length > limits.html) {
    return {
      html: '',
      errors: [new TemplateError('html', 1, 1, mailFault('content.mjml_long'))],
      warnings: [],
    }
  }
  const { errors, warnings } = sortFindings(made.errors)
  const html = restore(made.html)
  const lost = errors.length > 0 ? [] : lostPieces(source, parsed, made.html, wrapped)
  return { html, errors: [...errors, ...lost], warnings }
}

/** Limits on components and attributes, for which MJML takes quadratic time. */
const limits = {
  length: 300_000,
  components: 2_000,
  attributes: 100,
  depth: 100,
  inlineCost: 200_000,
  html: 1_500_000,
} as const

/** Errors for what must not reach MJML: excessive sizes, includes, and conditions inside a tag. */
function refusedTags(source: string, parsed: ParsedPart): TemplateError[] {
  const errors: TemplateError[] = []
  const add = (offset: number, fault: MailFault) => {
    const { line, column } = placeOf(source, originOf(parsed.marks, offset))
    errors.push(new TemplateError('html', line, column, fault))
  }
  const masked = maskLiquid(parsed.text, parsed.pieces)
  const tokens = tokenizeHtml(masked)
  const tags = tokens.filter(token => token.type === 'open')
  const excess = excessOf(parsed.text, tokens, tags)
  if (excess !== null) add(0, excess)
  for (const tag of tags) {
    if (errors.length >= 20) break
    if (tag.attributes.length > limits.attributes)
      add(tag.start, mailFault('content.mjml_attributes', { tag: tag.name }))
    if (tag.name === 'mj-include') {
      add(tag.start, mailFault('content.mjml_include', { example: '{{ module.NAME }}' }))
    }
    const loose = tag.name.startsWith('mj-') && tag.attributes.find(one => one.name === '')
    if (loose) add(loose.start, mailFault('content.mjml_place', { tag: tag.name }))
  }
  for (const { type, start, end } of tokens) {
    if (errors.length >= 20) break
    const endTag = type === 'close' ? masked.slice(start, end) : ''
    const name = /^<\/(mj[^\s/>\ue000]*)/i.exec(endTag)?.[1]
    if (name !== undefined && endTag.includes(mask))
      add(start, mailFault('content.mjml_place', { tag: `/${name}` }))
  }
  return errors
}

function excessOf(text: string, tokens: readonly HtmlToken[], tags: readonly OpenTag[]): MailFault | null {
  const components = tokens.filter(isComponent)
  const isLong = text.length > limits.length || components.length > 2 * limits.components
  if (isLong) return mailFault('content.mjml_much')
  if (nestingDepth(components, true) > limits.depth) return mailFault('content.mjml_deep')
  if (inlineStyleCost(text, tokens, tags.length) <= limits.inlineCost) return null
  return mailFault('content.mjml_styles')
}

function isComponent(token: HtmlToken): boolean {
  return (token.type === 'open' || token.type === 'close') && /^mj(?:ml$|-)/.test(token.name)
}

/** Number of inlined selectors times the elements they are tried on (about ten per component). */
function inlineStyleCost(text: string, tokens: readonly HtmlToken[], elements: number): number {
  let selectors = 0
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'open' || token.name !== 'mj-style' || !attribute(token, 'inline')) continue
    const content = tokens[index + 1]
    if (content?.type === 'text') selectors += selectorCount(text.slice(content.start, content.end))
  }
  return selectors * elements
}

interface ProtectedMjml {
  text: string
  restore: (text: string) => string
  /** Pieces whose placeholder word must occur in the HTML, by offset in the parsed text. */
  wrapped: ReadonlyMap<number, string>
}

function protectMjml(parsed: ParsedPart): ProtectedMjml {
  const { words, restore } = protectLiquid(parsed.text, parsed.pieces)
  const tokens = tokenizeHtml(maskLiquid(parsed.text, parsed.pieces))
  const wrapped = new Map<number, string>()
  const edits: Edit[] = []
  let at = 0
  let inside: string | null = null
  for (const piece of parsed.pieces) {
    if (piece.type === 'text') continue
    while (at < tokens.length && tokens[at]!.end <= piece.start) {
      inside = contentAfter(inside, tokens[at]!)
      at++
    }
    const word = words.get(piece.start) ?? ''
    const isText = tokens[at]?.type === 'text'
    if (isText) wrapped.set(piece.start, word)
    const between = isText && inside === null
    const lines = isText ? lineBreaks(parsed.text, piece) : ''
    if (isCountedMark(parsed.text.slice(piece.start, piece.end))) {
      wrapped.delete(piece.start)
      edits.push({ start: piece.start, end: piece.end, text: lines })
      continue
    }
    edits.push({
      start: piece.start,
      end: piece.end,
      text: (between ? `<mj-raw>${word}</mj-raw>` : word) + lines,
    })
  }
  return { text: applyEdits(parsed.text, edits), restore, wrapped }
}

/** The content component after a token: they do not nest. */
function contentAfter(inside: string | null, token: HtmlToken): string | null {
  if (token.type === 'open' && inside === null) return contentComponents.has(token.name) ? token.name : null
  if (token.type === 'close' && token.name === inside) return null
  return inside
}

/** Preserves line numbers for error positions; in content, line breaks are white space. */
function lineBreaks(text: string, piece: Piece): string {
  return '\n'.repeat(text.slice(piece.start, piece.end).split('\n').length - 1)
}

function parseFailure(error: Error): MailFault {
  if (error instanceof RangeError) return mailFault('content.mjml_deep')
  return mailFault('content.mjml_incomplete')
}

/** Faults that change the output are errors; MJML ignores the others. */
function sortFindings(findings: readonly Finding[]): { errors: TemplateError[]; warnings: Warning[] } {
  const errors: TemplateError[] = []
  const warnings: Warning[] = []
  for (const { line, message } of findings) {
    const unknown = /^Element (\S+) doesn't exist/.exec(message)
    const misplaced = /^(\S+) cannot be used inside (\S+), only inside: (.*)$/.exec(message)
    if (unknown)
      errors.push(
        new TemplateError('html', line, 1, mailFault('content.mjml_unknown', { tag: unknown[1] ?? '' })),
      )
    else if (misplaced) {
      errors.push(
        new TemplateError(
          'html',
          line,
          1,
          mailFault('content.mjml_misplaced', {
            tag: misplaced[1] ?? '',
            parent: misplaced[2] ?? '',
            allowed: misplaced[3] ?? '',
          }),
        ),
      )
    } else if (!/\bliqz+\d+x/.test(message)) {
      warnings.push({
        code: 'mjml',
        severity: 'warning',
        part: 'html',
        line,
        ...warningOf(mailFault('content.mjml_said', { text: message.trim() })),
      })
    }
  }
  return { errors, warnings }
}

/** Liquid in content that MJML drops would be lost silently. */
function lostPieces(
  source: string,
  parsed: ParsedPart,
  html: string,
  wrapped: ReadonlyMap<number, string>,
): TemplateError[] {
  const errors: TemplateError[] = []
  for (const [offset, word] of wrapped) {
    if (html.includes(word)) continue
    const { line, column } = placeOf(source, originOf(parsed.marks, offset))
    errors.push(new TemplateError('html', line, column, mailFault('content.mjml_lost')))
  }
  return errors
}
