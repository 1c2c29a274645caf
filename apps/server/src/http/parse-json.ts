import { EmmaError } from '@emma/contract/errors.ts'
import { API_LIMITS } from '../network/limits.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** What begins another value or name: `,` `:` `[` `{`. */
const SEPARATORS = new Set([0x2c, 0x3a, 0x5b, 0x7b])

/**
 * JSON of strangers. Values and names are counted before anything is made of them: each costs some 50 bytes of memory and
 * a step of every walk, two bytes of body at least.
 *
 * @throws EmmaError `bad_request` (no JSON), `too_large` (more values than `most`)
 */
export function parseJson(json: Buffer, most: number = API_LIMITS.bodyValues): unknown {
  if (hasMoreValues(json, most)) throw new EmmaError('too_large', 'Too large: the body has too many values')
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    throw new EmmaError('bad_request', 'The body is not valid JSON')
  }
}

function hasMoreValues(json: Buffer, most: number): boolean {
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) at = endOfText(json, at)
    else if (SEPARATORS.has(byte) && ++values > most) return true
  }
  return false
}

/** Where the quote is that ends a text; the end of the JSON where none does. */
function endOfText(json: Buffer, start: number): number {
  let end = start
  do {
    end = json.indexOf(QUOTE, end + 1)
    if (end === -1) return json.length
  } while (isEscaped(json, end))
  return end
}

function isEscaped(json: Buffer, at: number): boolean {
  let before = at
  while (json[before - 1] === BACKSLASH) before--
  return (at - before) % 2 === 1
}
