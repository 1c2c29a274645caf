import { EmmaError } from '@emma/contract/errors.ts'
import { API_LIMITS } from '../network/limits.ts'
import { fault } from '@emma/contract/faults.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Characters before another value or name: `,` `:` `[` `{`. */
const SEPARATORS = new Set([0x2c, 0x3a, 0x5b, 0x7b])

/**
 * Parses untrusted JSON. Values and names are counted before parsing: each costs some 50 bytes of memory and a step
 * of every walk, for at least two bytes of body.
 * @throws EmmaError `bad_request` (invalid JSON), `too_large` (more than `most` values)
 */
export function parseJson(json: Buffer, most: number = API_LIMITS.bodyValues): unknown {
  if (hasMoreValues(json, most)) throw new EmmaError('too_large', fault('refusal.body_values'))
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    throw new EmmaError('bad_request', fault('refusal.body_json'))
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

/** Offset of the quote that ends a string; the end of the JSON without one. */
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
