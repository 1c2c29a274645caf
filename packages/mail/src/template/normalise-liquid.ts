import { mailFault, type MailFault } from '../mail-fault.ts'
import { maskQuotes } from './mask-quotes.ts'
import type { Piece } from './scan-liquid.ts'
import { buildText, type MappedText } from './source-map.ts'

/** Thrown for a spelling that is not Liquid; the message names the correct one. */
export class SpellingError extends Error {
  override readonly name = 'SpellingError'
  readonly fault: MailFault

  constructor(fault: MailFault) {
    super(fault.message)
    this.fault = fault
  }
}

/**
 * Converts every accepted spelling to Liquid: the specification's `{{ x|default("y") }}` and `{{#if x}}…{{/if}}`,
 * HTML entities and typographic quotes that visual editors put inside placeholders, and `escape` and `newline_to_br`
 * at the end of an output, which must not be escaped twice.
 * @param onError called with the offset of each spelling that cannot be converted
 */
export function normaliseLiquid(
  source: string,
  pieces: readonly Piece[],
  isHtml: boolean,
  onError: (offset: number, error: SpellingError) => void,
): MappedText {
  const built = buildText()
  for (const piece of pieces) {
    if (piece.type === 'text') {
      built.copy(source, piece.start, piece.end)
      continue
    }
    const original = source.slice(piece.start, piece.end)
    const written = attempt(() => normalisePiece(original, piece, isHtml))
    if (written instanceof SpellingError) {
      onError(piece.start, written)
      // The rest is still checked, without the invalid piece.
      built.put('', piece.start)
    } else if (written === original) built.copy(source, piece.start, piece.end)
    else built.put(written, piece.start)
  }
  return built.done()
}

function attempt(write: () => string): string | SpellingError {
  try {
    return write()
  } catch (error) {
    if (error instanceof SpellingError) return error
    throw error
  }
}

function normalisePiece(original: string, piece: Exclude<Piece, { type: 'text' }>, isHtml: boolean): string {
  if (piece.type === 'tag' && (piece.name === 'raw' || piece.name === 'comment')) return original
  const decoded = isHtml ? decodeInside(original) : original
  const [open, content, close] = inside(decoded)
  const plain = decimalDivisors(filterCalls(straightQuotes(content)))
  if (/[|:,]\s*$/.test(maskQuotes(plain)))
    throw new SpellingError(mailFault('content.end_missing', { text: decoded }))
  if (piece.type === 'tag') return open + plain + close
  const handlebars = fromHandlebars(plain.trim())
  if (handlebars !== null) return handlebars
  return open + finalEscape(plain, isHtml) + close
}

/** Splits `{{- x -}}` into its brackets and content. */
function inside(text: string): [open: string, content: string, close: string] {
  const open = /^\{[{%]-?/.exec(text)?.[0] ?? ''
  const close = /-?[}%]\}$/.exec(text.slice(open.length))?.[0] ?? ''
  return [open, text.slice(open.length, text.length - close.length), close]
}

function decodeInside(text: string): string {
  if (!text.includes('&') && !text.includes('\u00a0')) return text
  return text
    .replaceAll(/&(quot|#34|apos|#39|lt|gt|nbsp);/g, (_, name: string) => insideEntities[name] ?? '')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ')
}

const insideEntities: Record<string, string> = {
  quot: '"',
  '#34': '"',
  apos: "'",
  '#39': "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
}

/** Converts „x“ and ‘x’ of word processors, unless straight quotes are present. */
function straightQuotes(text: string): string {
  if (text.includes('"') || text.includes("'")) return text
  return text.replaceAll(/[“”„‟]/g, '"').replaceAll(/[‘’‚‛]/g, "'")
}

/** `| default("x", 2)` → `| default: "x", 2`, outside quotes. */
function filterCalls(text: string): string {
  let result = text
  for (let count = 0; count < 50; count++) {
    const masked = maskQuotes(result)
    const call = /(\|\s*\w+)\s*\(/.exec(masked)
    if (!call) return result
    const open = call.index + call[0].length
    const close = masked.indexOf(')', open)
    if (close === -1)
      throw new SpellingError(
        mailFault('content.bracket_missing', { bracket: ')', text: `"${text.trim()}"` }),
      )
    const filter = result.slice(0, call.index + (call[1]?.length ?? 0))
    const args = result.slice(open, close).trim()
    result = filter + (args === '' ? '' : `: ${args}`) + result.slice(close + 1)
  }
  return result
}

/** liquidjs parses 2.0 as 2, but only integers divide to an integer (see `divided_by`). */
function decimalDivisors(text: string): string {
  if (!text.includes('divided_by')) return text
  let result = ''
  let end = 0
  for (const { 0: divisor, index } of maskQuotes(text).matchAll(DECIMAL_DIVISOR)) {
    result += `${text.slice(end, index + divisor.length)}, false`
    end = index + divisor.length
  }
  return result + text.slice(end)
}

const DECIMAL_DIVISOR = /divided_by\s*:\s*-?\d+\.\d+(?=\s*(?:[|)]|$))/g

function fromHandlebars(content: string): string | null {
  if (content === 'else') return '{% else %}'
  const block = /^(#|\/|else\s+if\s+)(.*)$/s.exec(content)
  if (block) return handlebarsBlock(block[1] ?? '', (block[2] ?? '').trim())
  if (content.startsWith('!')) return ''
  if (content.startsWith('{')) {
    throw new SpellingError(
      mailFault('content.three_brackets', { example: '{{ name }}', other: '{{ name | raw }}' }),
    )
  }
  if (content.startsWith('>')) {
    throw new SpellingError(
      mailFault('content.no_partial', { text: `{{${content}}}`, example: '{{ module.NAME }}' }),
    )
  }
  if (content.startsWith('^'))
    throw new SpellingError(
      mailFault('content.other_spelling', {
        text: `{{${content}}}`,
        example: '{% unless name %}…{% endunless %}',
      }),
    )
  return null
}

function handlebarsBlock(sign: string, rest: string): string {
  if (sign.startsWith('else')) return `{% elsif ${rest} %}`
  const [name = ''] = rest.split(/\s/, 1)
  if (name === 'if' || name === 'unless') {
    return sign === '#' ? `{% ${rest} %}` : `{% end${name} %}`
  }
  if (name === 'each') {
    throw new SpellingError(
      mailFault('content.other_spelling', {
        text: `{{${sign}each}}`,
        example: '{% for item in data.list %}…{% endfor %}',
      }),
    )
  }
  throw new SpellingError(
    mailFault('content.no_block', {
      text: `{{${sign}${rest}}}`,
      condition: '{% if name %}…{% endif %}',
      loop: '{% for item in list %}…{% endfor %}',
    }),
  )
}

/**
 * `escape` and line breaks as the last filter produce the final form of the value, which must not be escaped again.
 */
function finalEscape(content: string, isHtml: boolean): string {
  const masked = maskQuotes(content)
  const last = /\|\s*(escape|escape_once|newline_to_br)\s*$/.exec(masked)
  if (!last) return content
  const before = content.slice(0, last.index)
  if (!isHtml) return `${before.trimEnd()} `
  if (last[1] === 'newline_to_br') return `${before}| escape | newline_to_br | raw `
  return `${content.trimEnd()} | raw `
}
