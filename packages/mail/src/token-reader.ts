import type { KeyObject } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { signatureBytes, signatureOffsets, type Token, tokenBytes, tokenFrom } from './token.ts'

/** Characters of the token that begins in `text` at `at`: the highest bit of its first says its version. */
export function tokenLengthAt(text: string, at: number): 34 | 47 {
  return (SIX_BITS[text.charCodeAt(at)] ?? -1) < 32 ? 34 : 47
}

/** Reads the token that stands in `text` from `at` on; null for anything not signed for `tracking` or `page`, in this spelling. */
export type TokenReader = (text: string, at: number) => Token | null

/**
 * Does what `verifyToken` does for opens and clicks, in a quarter of its time and without garbage: for whoever checks a hundred thousand tokens a
 * second. Text, key and answer are the same. The key's blocks are hashed beforehand; node:crypto takes 2 to 4 µs a message,
 * most of them for the object around it.
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
    // All of them, whatever the first ones are: the time taken tells nothing.
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

/** Base64url; false for other characters, and for the second spellings that the last one's spare bits allow. */
function decode(text: string, at: number, length: number, bytes: Buffer): boolean {
  let held = 0
  let bits = 0
  let filled = 0
  for (let index = 0; index < length; index++) {
    // Past the end the code is NaN, and the table has nothing there.
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
