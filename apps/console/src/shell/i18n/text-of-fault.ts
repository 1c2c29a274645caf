import { exists, t } from 'i18next'

/** What went wrong, as it comes over the wire; `message` is English. */
export interface WireFault {
  code?: string | null | undefined
  values?: Readonly<Record<string, unknown>> | null | undefined
  message: string
}

/** Where the texts of an area of codes are: `content.near` is `content_faults.near`. */
const groups: Readonly<Record<string, string>> = {
  campaign: 'reasons',
  content: 'content_faults',
  field: 'faults',
  mail: 'reasons',
  refusal: 'refusals',
}

/** The key of a code's text; null for a code of an area that the console does not know. */
export function textKey(code: string): string | null {
  const [area = '', name = ''] = code.split('.')
  const group = groups[area]
  return group === undefined ? null : `${group}.${name}`
}

/** A fault in the person's language; the English message where the console has no text for its code. */
export function textOfFault({ code, values, message }: WireFault): string {
  const key = code ? textKey(code) : null
  if (key === null || !exists(key)) return message
  return t(key, wordsOf(values ?? {}))
}

function wordsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, name === 'part' ? partName(value) : wordOf(value)]),
  )
}

function wordOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordOf).join('\n')
  return isFault(value) ? textOfFault(value) : value
}

/** The part of a mail that a fault is in, as the editor calls it. */
function partName(part: unknown): unknown {
  const key = `reasons.parts.${String(part)}`
  return exists(key) ? t(key) : part
}

export function isFault(value: unknown): value is WireFault {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  )
}
