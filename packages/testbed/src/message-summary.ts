import { decodeWords } from 'postal-mime'

/** Fields of a message for lists, without parsing it completely. */
export interface MessageSummary {
  /** Decoded, at most 500 characters; '' if missing. */
  subject: string
  from: string
  /** With its angle brackets; '' if missing. */
  messageId: string
  /** RFC violations, as text; empty if there are none. */
  faults: string[]
}

/** Parses the summary of a raw message, in time linear in its first megabyte. Never throws. */
export function summariseMessage(raw: Buffer): MessageSummary {
  const fields = headerFields(raw)
  return {
    subject: readable(findField(fields, 'subject')),
    from: readable(findField(fields, 'from')),
    messageId: limit(findField(fields, 'message-id'), 250),
    faults: findWireFaults(raw),
  }
}

/**
 * Returns the first header field of that name, unfolded and trimmed; '' if missing.
 * @param name in lower case
 */
export function headerField(raw: Buffer, name: string): string {
  return findField(headerFields(raw), name)
}

/** Returns the header without the empty line that ends it; at most 256 kB. */
export function headerBlock(raw: Buffer): Buffer {
  const block = raw.subarray(0, MAX_HEADER)
  const end = block.indexOf('\r\n\r\n')
  return end < 0 ? block : block.subarray(0, end + 2)
}

const MAX_HEADER = 256 * 1024
const MAX_SCAN = 1024 * 1024

function headerFields(raw: Buffer): string[] {
  // Header text is UTF-8 (RFC 6532); other bytes become replacement characters, only in lists.
  return headerBlock(raw)
    .toString('utf8')
    .split(/\r?\n(?![ \t])/)
}

function findField(fields: readonly string[], name: string): string {
  for (const field of fields) {
    const colon = field.indexOf(':')
    if (colon !== name.length) continue
    if (field.slice(0, colon).toLowerCase() !== name) continue
    return field
      .slice(colon + 1)
      .replace(/\r?\n/g, '')
      .trim()
  }
  return ''
}

function readable(value: string): string {
  const text = value.includes('=?') ? decodeWords(limit(value, 5000)) : value
  // Control characters are removed; only malicious or broken messages contain them.
  return limit(text.replace(/\p{Cc}+/gu, ' '), 500)
}

function limit(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}

/** RFC 5322, 2.1.1 and 2.3: lines of at most 998 octets that end in CR LF, no NUL. */
function findWireFaults(raw: Buffer): string[] {
  const part = raw.subarray(0, MAX_SCAN)
  const faults: string[] = []
  let longest = 0
  let bareLf = false
  let start = 0
  for (let end = part.indexOf(LF); end >= 0; end = part.indexOf(LF, start)) {
    if (end === 0 || part[end - 1] !== CR) bareLf = true
    if (end - start - 1 > longest) longest = end - start - 1
    start = end + 1
  }
  longest = Math.max(longest, part.length - start)
  if (longest > 998) faults.push(`A line has ${longest} octets; 998 are allowed (RFC 5322, 2.1.1).`)
  if (bareLf) faults.push('A line ends in LF alone instead of CR LF (RFC 5321, 2.3.8).')
  if (hasBareCr(part)) faults.push('A CR stands alone, without LF (RFC 5321, 2.3.8).')
  if (part.includes(0)) faults.push('The mail contains a NUL octet (RFC 5322, 4).')
  return faults
}

const LF = 0x0a
const CR = 0x0d

function hasBareCr(part: Buffer): boolean {
  for (let at = part.indexOf(CR); at >= 0; at = part.indexOf(CR, at + 1)) {
    if (at + 1 < part.length && part[at + 1] !== LF) return true
  }
  return false
}
