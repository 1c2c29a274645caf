import { mailFault, type MailFault, suggest } from '../mail-fault.ts'
import { LiquidError } from 'liquidjs'
import { closest } from './closest.ts'
import { allowedTags } from './liquid-engine.ts'
import { maskQuotes } from './mask-quotes.ts'

/** A fault reported by liquidjs: offset in the parsed text, and a text for marketers. */
export interface Fault {
  offset: number
  fault: MailFault
}

/**
 * Converts an error of the liquidjs parser (one fault or a collection).
 * @param source the parsed text
 */
export function liquidFaults(error: unknown, source: string, filterNames: readonly string[]): Fault[] {
  if (error instanceof RangeError) return [{ offset: 0, fault: mailFault('content.nested') }]
  if (!LiquidError.is(error)) throw error
  const collected: unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error]
  const faults = collected
    .filter(one => LiquidError.is(one))
    .slice(0, 50)
    .map(one => ({
      offset: one.token.begin,
      fault: explain(one, source, filterNames),
      follows: isFollowUp(one),
    }))
  // An invalid {% if %} is not opened, so its {% endif %} seems unmatched: only the first fault is reported.
  return faults
    .filter(({ follows }, index) => index === 0 || !follows)
    .map(({ offset, fault }) => ({ offset, fault }))
}

function isFollowUp(error: LiquidError): boolean {
  return /^tag "(?:end\w+|else|elsif|when)" not found/.test(error.originalError?.message ?? error.message)
}

function explain(error: LiquidError, source: string, filterNames: readonly string[]): MailFault {
  // The editor shows "…, line:3, col:12" by position, so it is removed from the text.
  const raw = (error.originalError?.message ?? error.message).replace(
    /,? ?(?:file:[^,]*, ?)?line: ?\d+, col: ?\d+$/,
    '',
  )
  const text = pieceAt(source, error.token.begin, error.token.end)
  const slip = commonSlip(text)
  if (slip !== null) return slip
  for (const [pattern, say] of sentences) {
    const match = pattern.exec(raw)
    if (match) return say(match, { text: shorten(text), filterNames })
  }
  return mailFault('content.not_understood', { text: shorten(text) })
}

/** The whole tag or output at an offset; liquidjs reports the offending character. */
function pieceAt(source: string, begin: number, end: number): string {
  const start = Math.max(source.lastIndexOf('{{', begin + 1), source.lastIndexOf('{%', begin + 1))
  if (start === -1) return source.slice(begin, end)
  const closing = source[start + 1] === '{' ? '}}' : '%}'
  const close = source.indexOf(closing, Math.max(start + 2, begin))
  return close === -1 ? source.slice(start) : source.slice(start, close + 2)
}

function commonSlip(text: string): MailFault | null {
  if (!/^\{%-?\s*(?:if|elsif|unless)\b/.test(text)) return null
  const outside = maskQuotes(text)
  if (/[^=<>!]=[^=]/.test(outside)) return mailFault('content.equals', { text: shorten(text) })
  if (/&&|\|\|/.test(outside)) return mailFault('content.and_or', { text: shorten(text) })
  return null
}

interface Situation {
  /** Tag or output with the fault. */
  text: string
  filterNames: readonly string[]
}

const sentences: [RegExp, (match: RegExpExecArray, situation: Situation) => MailFault][] = [
  [/^output "?(.*?)"? not closed$/s, (_, { text }) => mailFault('content.placeholder_open', { text })],
  [/^raw .* not closed$/s, () => mailFault('content.block_open', { text: '{% raw %}', end: '{% endraw %}' })],
  [
    /^tag "?(\{%.*?)"? not closed$/s,
    (match, { text }) => {
      const whole = /^\{%-?\s*(\w+).*%\}/s.exec(match[1] ?? '')
      if (!whole) return mailFault('content.tag_open', { text })
      return mailFault('content.block_open', { text: shorten(whole[0]), end: `{% end${whole[1]} %}` })
    },
  ],
  [/^tag "(.*)" not found$/s, (match, { text }) => unknownTag(match[1] ?? '', text)],
  [/^undefined filter: (.*)$/s, (match, { filterNames }) => unknownFilter(match[1] ?? '', filterNames)],
  [/^illegal tag syntax/, (_, { text }) => mailFault('content.tag_nameless', { text })],
  [/^expected "\|" before filter$/, (_, { text }) => mailFault('content.filter_bar', { text })],
  [/^expected filter name$/, (_, { text }) => mailFault('content.filter_name', { text })],
  [/^expected ":" after filter name$/, (_, { text }) => mailFault('content.filter_value', { text })],
  [/^invalid value expression/, (_, { text }) => mailFault('content.column_missing', { text })],
  [/^unexpected character/, (_, { text }) => mailFault('content.filter_extra', { text })],
  [/^unexpected token|value expected$/, (_, { text }) => mailFault('content.value_missing', { text })],
  [/^\[ not closed$/, (_, { text }) => mailFault('content.bracket_missing', { bracket: ']', text })],
  [/^invalid range syntax|^unbalanced parentheses/, (_, { text }) => mailFault('content.range', { text })],
  [
    /^illegal tag: |^expected variable|^expected "="|^invalid capture|^illegal identifier/,
    (_, { text }) => mailFault('content.incomplete', { text }),
  ],
  [/parse length limit exceeded/, () => mailFault('content.part_too_long')],
]

export function unknownFilter(name: string, filterNames: readonly string[]): MailFault {
  return hinted(mailFault('content.filter_unknown', { name }), name, filterNames)
}

function unknownTag(name: string, text: string): MailFault {
  if (name === 'include' || name === 'render' || name === 'layout' || name === 'block') {
    return mailFault('content.tag_foreign', { text: `{% ${name} %}`, example: '{{ module.NAME }}' })
  }
  const opener = /^end(\w+)$/.exec(name)?.[1]
  if (opener) return mailFault('content.closes_nothing', { text, opener: `{% ${opener} %}` })
  if (name === 'else' || name === 'elsif' || name === 'when') return mailFault('content.outside', { text })
  return hinted(mailFault('content.tag_unknown', { name }), name, allowedTags)
}

function hinted(fault: MailFault, name: string, known: readonly string[]): MailFault {
  const near = closest(name, known)
  return suggest(fault, near && `"${near}"`)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}
