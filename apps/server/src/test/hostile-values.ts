import type { Resource } from '@emma/contract/define-resource.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { z } from 'zod'
import { parseBody } from '../http/parse.ts'
import { parseJson } from '../http/parse-json.ts'

/** Nested JSON objects of the given depth. */
export function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
}

function nestedRules(levels: number): string {
  return `${'{"combinator":"and","rules":['.repeat(levels)}${']}'.repeat(levels)}`
}

/** Values as JSON source, for any field. */
export const hostileValues: Readonly<Record<string, string>> = {
  NUL: '"a\\u0000b"',
  'a lone surrogate': '"\\ud800"',
  'a lone surrogate within': '{"en":"\\udfff","title":["\\udfff"]}',
  'a line break': '"a\\r\\nBcc: x@y.test"',
  'a number past all': '1e400',
  'a number past the column': '2147483648',
  'a number past the keys': '9223372036854775808',
  'a negative number': '-1',
  'a fraction': '0.5',
  prototype: '{"__proto__":{"superadmin":true}}',
  constructor: '{"constructor":{"prototype":{"superadmin":true}}}',
  '30 levels': nested(30),
  '5,000 levels': nested(5_000),
  '60 levels of rules': nestedRules(60),
  'a long text': JSON.stringify('x'.repeat(20_000)),
  'a long list': JSON.stringify(Array.from({ length: 3_000 }, (_, index) => index)),
  true: 'true',
  'a text': '"\' or 1=1 --"',
  'a list of texts': '["a","b"]',
  'an unknown key': '999999999',
  'a list of unknown keys': '[999999999]',
  'no year': '"0000-01-01T00:00:00Z"',
  'a far offset': '"2026-01-01T00:00:00+23:59"',
  'not yet a time': '"2026-02-30T00:00:00Z"',
  markup: '"<script>alert(1)</script>{{ constructor }}"',
}

/** Bodies that are not JSON, or not an object. */
export const brokenBodies: readonly string[] = [
  '',
  'null',
  '[]',
  '1',
  '"text"',
  '[{}]',
  '{',
  '{"a":1,}',
  '\u0000',
  nested(200),
  nested(50_000),
]

/** A body with one field, as sent. */
export function bodyOf(field: string, value: string): string {
  return `{${JSON.stringify(field)}:${value}}`
}

/** Values of one query parameter, before encoding. */
export const hostileQueryValues: readonly string[] = [
  '\u0000',
  '9223372036854775808',
  'x'.repeat(3_000),
  '-1',
  '1e400',
  "' or 1=1",
  '',
  '9'.repeat(400),
  '9007199254740991',
  '{"a":1}',
  '0000-00-00',
]

/** Parameters that the list of a resource supports. */
export function listParameters(resource: Resource): string[] {
  const known = ['limit', 'offset', 'skip', 'search', 'orderby', 'desc', 'sortkey', 'sortdesc', 'client_id[]']
  return [...known, ...Object.keys(resource.filters), resource.key, 'explicitly_included[]']
}

export function queryNamesOf(query: z.ZodType): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : []
}

/** Result of the schema and the checks before it for a JSON body, or the rejection. */
export function readAs(schema: z.ZodType, json: string): { body: unknown; refusal: EmmaError | null } {
  let body: unknown
  const refusal = refusalOf(() => {
    body = parseBody(schema, parseJson(Buffer.from(json)))
  })
  return { body, refusal }
}

/** The contract error thrown by the call; null if none. Rethrows others. */
export function refusalOf(call: () => unknown): EmmaError | null {
  try {
    call()
    return null
  } catch (error) {
    if (error instanceof EmmaError) return error
    throw error
  }
}

/** The malicious values of a field that the schema accepts, and the first that it rejects. */
export function valuesPast(schema: z.ZodType, field: string): { kind: string; value: string }[] {
  const values = Object.entries(hostileValues).map(([kind, value]) => {
    const { refusal } = readAs(schema, bodyOf(field, value))
    return { kind, value, isRefused: refusal !== null }
  })
  const refused = values.filter(({ isRefused }) => isRefused)
  return [...values.filter(({ isRefused }) => !isRefused), ...refused.slice(0, 1)]
}
