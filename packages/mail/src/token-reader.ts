import type { KeyObject } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { signatureBytes, signatureOffsets, type Token, tokenBytes, tokenFrom } from './token.ts'

/** Length of the token that begins in `text` at `at`; the highest bit of its first character is its version. */
export function tokenLengthAt(text: string, at: number): 34 | 47 {
  return (SIX_BITS[text.charCodeAt(at)] ?? -1) < 32 ? 34 : 47
}

/**
 * Verifies the token at offset `at` of `text`; null unless signed for `tracking` or `page`, in exactly this spelling.
 */
export type TokenReader = (text: string, at: number) => Token | null

/**
 * Verifies like `verifyToken` for opens and clicks, in a quarter of the time and without garbage, for a hundred
 * thousand tokens a second. Input, key and result are the same. The key's blocks are hashed in advance; node:crypto
 * takes 2 to 4 µs per message, mostly for its object.
 */
export function createTokenReader(key: KeyObject): TokenReader {
  const keyed = hmac.create(sha256, key.export())
  const running = keyed.clone()
  const versions = { 34: buffersOf(tokenBytes[1]), 47: buffersOf(tokenBytes[2]) }
  const signature = new Uint8Array(keyed.outputLen)

  return (text, at) => {
    const length = tokenLengthAt(text, at)
    const { bytes, payload } = versions[length]
    if (!decode(text, at, length, bytes)) return null
    keyed._cloneInto(running).update(payload).digestInto(signature)
    let tracking = 0
    let page = 0
    // Compares all bytes, so that the time does not depend on them.
    for (let index = 0; index < signatureBytes; index++) {
      const signed = bytes[payload.length + index] ?? 0
      tracking |= (signature[signatureOffsets.tracking + index] ?? 0) ^ signed
      page |= (signature[signatureOffsets.page + index] ?? 0) ^ signed
    }
    return tracking === 0 || page === 0 ? tokenFrom(bytes) : null
  }
}

function buffersOf(size: number): { bytes: Buffer; payload: Buffer } {
  const bytes = Buffer.alloc(size)
  return { bytes, payload: bytes.subarray(0, -signatureBytes) }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const SIX_BITS = new Int8Array(256).fill(-1)
for (let value = 0; value < ALPHABET.length; value++) SIX_BITS[ALPHABET.charCodeAt(value)] = value

/**
 * Decodes base64url; false for other characters, and for the alternative spellings that the last one's spare bits
 * allow.
 */
function decode(text: string, at: number, length: number, bytes: Buffer): boolean {
  let held = 0
  let bits = 0
  let filled = 0
  for (let index = 0; index < length; index++) {
    // Past the end the code is NaN, for which the table has no entry.
    const six = SIX_BITS[text.charCodeAt(at + index)] ?? -1
    if (six < 0) return false
    held = ((held & 0xff) << 6) | six
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[filled++] = (held >> bits) & 0xff
  }
  return (held & ((1 << bits) - 1)) === 0
}
