import { LiquidError } from 'liquidjs'
import { closest } from './closest.ts'
import { allowedTags } from './liquid-engine.ts'
import { maskQuotes } from './mask-quotes.ts'

/** One fault liquidjs found: where (offset in what it parsed) and what, in words for marketers. */
export interface Fault {
  offset: number
  message: string
}

/**
 * Reads whatever liquidjs' parser threw (one fault, or a collection of them).
 * @param source what was parsed
 */
export function liquidFaults(error: unknown, source: string, filterNames: readonly string[]): Fault[] {
  if (error instanceof RangeError)
    return [{ offset: 0, message: 'The conditions and loops are nested too deeply.' }]
  if (!LiquidError.is(error)) throw error
  const collected: unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error]
  const faults = collected
    .filter(one => LiquidError.is(one))
    .slice(0, 50)
    .map(one => ({
      offset: one.token.begin,
      message: explain(one, source, filterNames),
      follows: isFollowUp(one),
    }))
  // A faulty {% if %} is not opened, so its {% endif %} seems to close nothing: only the first fault is one.
  return faults
    .filter((fault, index) => index === 0 || !fault.follows)
    .map(({ offset, message }) => ({ offset, message }))
}

function isFollowUp(error: LiquidError): boolean {
  return /^tag "(?:end\w+|else|elsif|when)" not found/.test(error.originalError?.message ?? error.message)
}

function explain(error: LiquidError, source: string, filterNames: readonly string[]): string {
  // "…, line:3, col:12" is said in the editor by the place of the error, not in its words.
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
  return `${shorten(text)} cannot be understood.`
}

/** The whole tag or output around a place; liquidjs points at the letter that confused it. */
function pieceAt(source: string, begin: number, end: number): string {
  const start = Math.max(source.lastIndexOf('{{', begin + 1), source.lastIndexOf('{%', begin + 1))
  if (start === -1) return source.slice(begin, end)
  const closing = source[start + 1] === '{' ? '}}' : '%}'
  const close = source.indexOf(closing, Math.max(start + 2, begin))
  return close === -1 ? source.slice(start) : source.slice(start, close + 2)
}

function commonSlip(text: string): string | null {
  if (!/^\{%-?\s*(?:if|elsif|unless)\b/.test(text)) return null
  const outside = maskQuotes(text)
  if (/[^=<>!]=[^=]/.test(outside))
    return `Comparisons are written with two equals signs (==), in ${shorten(text)}.`
  if (/&&|\|\|/.test(outside)) return `Conditions are joined by "and" and "or", in ${shorten(text)}.`
  return null
}

interface Situation {
  /** The tag or output the fault is in. */
  text: string
  filterNames: readonly string[]
}

const sentences: [RegExp, (match: RegExpExecArray, situation: Situation) => string][] = [
  [
    /^output "?(.*?)"? not closed$/s,
    (_, { text }) =>
      `This placeholder is never closed: ${text}. It must end with }}, and quotes inside it come in pairs.`,
  ],
  [/^raw .* not closed$/s, () => '{% raw %} is never closed. Add {% endraw %} after it.'],
  [
    /^tag "?(\{%.*?)"? not closed$/s,
    (match, { text }) => {
      const whole = /^\{%-?\s*(\w+).*%\}/s.exec(match[1] ?? '')
      if (!whole) return `This tag is never closed: ${text}. It must end with %}.`
      return `${shorten(whole[0])} is never closed. Add {% end${whole[1]} %} after it.`
    },
  ],
  [/^tag "(.*)" not found$/s, (match, { text }) => unknownTag(match[1] ?? '', text)],
  [
    /^undefined filter: (.*)$/s,
    (match, { filterNames }) =>
      `There is no filter called "${match[1]}".${hint(match[1] ?? '', filterNames)}`,
  ],
  [/^illegal tag syntax/, (_, { text }) => `${text} is no tag: the name of the tag is missing.`],
  [
    /^expected "\|" before filter$/,
    (_, { text }) => `Something is too much in ${text}. Filters begin with "|", texts stand in quotes.`,
  ],
  [/^expected filter name$/, (_, { text }) => `After "|" the name of a filter is missing in ${text}.`],
  [
    /^expected ":" after filter name$/,
    (_, { text }) => `After the name of a filter comes ":" and its value, in ${text}.`,
  ],
  [/^invalid value expression/, (_, { text }) => `The name of a column is missing in ${text}.`],
  [
    /^unexpected character/,
    (_, { text }) => `Something is too much after the value of a filter, in ${text}.`,
  ],
  [/^unexpected token|value expected$/, (_, { text }) => `A value is missing in ${text}.`],
  [/^\[ not closed$/, (_, { text }) => `A closing bracket "]" is missing in ${text}.`],
  [
    /^invalid range syntax|^unbalanced parentheses/,
    (_, { text }) => `Brackets are only possible for ranges like (1..5), not as in ${text}.`,
  ],
  [
    /^illegal tag: |^expected variable|^expected "="|^invalid capture|^illegal identifier/,
    (_, { text }) => `${text} is not complete.`,
  ],
  [/parse length limit exceeded/, () => 'This part is too long for a mail.'],
]

function unknownTag(name: string, text: string): string {
  if (name === 'include' || name === 'render' || name === 'layout' || name === 'block') {
    return `{% ${name} %} is not available in mails. Put the text into a placeholder module: {{ module.NAME }}.`
  }
  const opener = /^end(\w+)$/.exec(name)?.[1]
  if (opener) return `${text} closes nothing: {% ${opener} %} is missing before it.`
  if (name === 'else' || name === 'elsif' || name === 'when') return `${text} stands outside of a condition.`
  return `There is no tag called "${name}".${hint(name, allowedTags)}`
}

function hint(name: string, known: readonly string[]): string {
  const near = closest(name, known)
  return near === null ? '' : ` Did you mean "${near}"?`
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}
