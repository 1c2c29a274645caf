/** A charset of one byte per character, for messages that are not to be sent as UTF-8. */
export interface Charset {
  /** Preferred MIME name, lower case. */
  name: string
  /** Bytes of the characters outside of ASCII, by code point. */
  bytes: ReadonlyMap<number, number>
}

const known = new Map<string, Charset>()

/** Charset by name; null for UTF-8, and for names that Node does not know. */
export function findCharset(name: string): Charset | null {
  if (!/^(?:iso-8859|windows-125)/.test(name)) return null
  const existing = known.get(name)
  if (existing) return existing
  const charset = { name, bytes: readBytes(name) }
  known.set(name, charset)
  return charset
}

function readBytes(name: string): Map<number, number> {
  // WHATWG's decoder takes iso-8859-1 for windows-1252, whose bytes below 0xA0 are control characters here.
  const first = name.startsWith('iso-') ? 0xa0 : 0x80
  const decoder = new TextDecoder(name, { fatal: true })
  const bytes = new Map<number, number>()
  for (let byte = first; byte <= 0xff; byte++) {
    const point = decodeByte(decoder, byte)
    if (point !== null && point > 0x9f) bytes.set(point, byte)
  }
  return bytes
}

/** Null for a byte without a character. */
function decodeByte(decoder: TextDecoder, byte: number): number | null {
  try {
    return decoder.decode(Uint8Array.of(byte)).codePointAt(0) ?? null
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

export function hasCharacters({ bytes }: Charset, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f && !bytes.has(code)) return false
  }
  return true
}

/** The first characters of a text that a charset lacks, each once. */
export function lackingCharacters({ bytes }: Charset, text: string, most: number): string[] {
  const found = new Set<string>()
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    if (point <= 0x7f || bytes.has(point)) continue
    found.add(char)
    if (found.size >= most) break
  }
  return [...found]
}
