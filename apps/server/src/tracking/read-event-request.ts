import { tokenLengthAt } from '@emma/mail/token-reader.ts'

/** A GET of an open pixel or a tracked link, as the fast path answers it. */
export interface EventRequest {
  type: 'open' | 'click'
  /** Offset of the token in the text. */
  tokenAt: number
  /** 0 for an open. */
  linkIndex: number
  userAgent: string
  /** X-Forwarded-For as received; empty without one. */
  forwardedFor: string
  isAhead: boolean
  /** Offset of the request's end. */
  end: number
}

/**
 * Parses the request that begins at `start`, if it is one of the two that make nearly all traffic, complete, and
 * without anything unusual: no body, no query, no connection handling, nothing that RFC 9112 does not explicitly
 * allow. Null for any other, which the full HTTP server handles.
 * @param bytes received over a connection
 * @param text the same as latin1
 */
export function readEventRequest(bytes: Uint8Array, text: string, start: number): EventRequest | null {
  const type = text.startsWith('GET /t/o/', start) ? 'open' : 'click'
  if (type === 'click' && !text.startsWith('GET /t/c/', start)) return null
  const tokenAt = start + 'GET /t/o/'.length
  const tokenEnd = tokenAt + tokenLengthAt(text, tokenAt)
  for (let index = tokenAt; index < tokenEnd; index++) if (IS_TOKEN_TEXT[bytes[index] ?? 0] !== 1) return null
  let at = tokenEnd
  let linkIndex = 0
  if (type === 'open') {
    if (!text.startsWith('.gif', at)) return null
    at += '.gif'.length
  } else {
    const digits = countDigits(bytes, at + 1)
    if (bytes[at] !== SLASH || digits < 1 || digits > 5) return null
    linkIndex = Number(text.slice(at + 1, at + 1 + digits))
    at += 1 + digits
  }
  if (!text.startsWith(' HTTP/1.1\r\n', at)) return null
  const request = {
    type,
    tokenAt,
    linkIndex,
    userAgent: '',
    forwardedFor: '',
    isAhead: false,
    end: 0,
  } as const
  return readHeaders(bytes, text, at + ' HTTP/1.1\r\n'.length, { ...request })
}

type Draft = { -readonly [K in keyof EventRequest]: EventRequest[K] }

function readHeaders(bytes: Uint8Array, text: string, start: number, request: Draft): EventRequest | null {
  let at = start
  let hasHost = false
  while (bytes[at] !== RETURN) {
    const nameAt = at
    while (IS_TOKEN[bytes[at] ?? 0] === 1) at++
    if (at === nameAt || bytes[at] !== COLON) return null
    const nameEnd = at++
    const valueAt = at
    while (IS_VALUE[bytes[at] ?? 0] === 1) at++
    if (bytes[at] !== RETURN || bytes[at + 1] !== FEED) return null
    if (MAYBE[nameEnd - nameAt] === 1) {
      const name = text.slice(nameAt, nameEnd).toLowerCase()
      if (name === 'host') {
        // The full server rejects two.
        if (hasHost) return null
        hasHost = true
      } else if (!takeHeader(request, name, text.slice(valueAt, at).trim())) return null
    }
    at += 2
    if (at - start > MOST_BYTES) return null
  }
  if (!hasHost || bytes[at + 1] !== FEED) return null
  request.end = at + 2
  return request
}

/** False for what the fast path does not support. */
function takeHeader(request: Draft, name: string, value: string): boolean {
  switch (name) {
    case 'user-agent':
      request.userAgent = value
      return true
    case 'x-forwarded-for':
      request.forwardedFor = request.forwardedFor === '' ? value : `${request.forwardedFor}, ${value}`
      return true
    case 'sec-purpose':
    case 'purpose':
    case 'x-purpose':
    case 'x-moz':
      request.isAhead ||= isPrefetch(value)
      return true
    case 'connection':
      return value.toLowerCase() === 'keep-alive'
    case 'content-length':
    case 'transfer-encoding':
    case 'upgrade':
    case 'expect':
      return false
    default:
      return true
  }
}

/** `Sec-Purpose: prefetch;prerender`, `Purpose: prefetch`, `X-Purpose: preview`, `X-Moz: prefetch`. */
export function isPrefetch(value: string): boolean {
  return /\b(?:prefetch|prerender|preview)\b/i.test(value)
}

function countDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while ((bytes[at] ?? 0) >= ZERO && (bytes[at] ?? 0) <= NINE) at++
  return at - start
}

const [SLASH, COLON, ZERO, NINE, RETURN, FEED] = [0x2f, 0x3a, 0x30, 0x39, 0x0d, 0x0a]

/** The full server's own limit is twice this. */
const MOST_BYTES = 8_192

/** Characters of a token's text. */
const IS_TOKEN_TEXT = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\w-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Characters of a header's name (RFC 9110, 5.6.2) and of its value: all except controls, with tab. */
const IS_TOKEN = Uint8Array.from({ length: 256 }, (_, code) =>
  /[!#$%&'*+.^_`|~\w-]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const IS_VALUE = Uint8Array.from({ length: 256 }, (_, code) =>
  code === 0x09 || (code >= 0x20 && code !== 0x7f) ? 1 : 0,
)

/** Lengths of the relevant names: most headers are skipped by length. */
const MAYBE = new Uint8Array(MOST_BYTES + 1)
for (const { length } of [
  'host',
  'x-moz',
  'expect',
  'purpose',
  'x-purpose',
  'user-agent',
  'sec-purpose',
  'content-length',
  'x-forwarded-for',
  'transfer-encoding',
])
  MAYBE[length] = 1
