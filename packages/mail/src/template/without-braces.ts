import type { JsonValue } from './json-value.ts'

/**
 * The data as constants of a template, which is parsed as Liquid again: braces begin no placeholder, and none can
 * reach the address of a link, which is resolved on click.
 */
export function withoutBraces(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutBracesIn(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutBraces)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutBraces(one)]))
}

export function withoutBracesIn(text: string): string {
  if (!/[{}]/.test(text)) return text
  return /^https?:/i.test(text)
    ? text.replaceAll('{', '%7B').replaceAll('}', '%7D')
    : text.replaceAll('{', '(').replaceAll('}', ')')
}
