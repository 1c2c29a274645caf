/** One reply of an SMTP server (RFC 5321, 4.2). */
export interface SmtpReply {
  /** 200–599. */
  code: number
  /** Enhanced status code (RFC 3463), e.g. `5.1.1`. */
  enhanced: string | null
  /**
   * Text of the reply: its lines joined with spaces, without codes and control characters; at most 1,000 characters.
   */
  text: string
  /** The lines without their codes, e.g. the keywords of EHLO. */
  lines: string[]
}

/** Thrown if a server does not speak SMTP or exceeds the limits. */
export class SmtpProtocolError extends Error {
  override name = 'SmtpProtocolError'
}

const MAX_LINE = 4_096
const MAX_REPLY = 32_768
const LF = 10

/**
 * Splits a server's output into replies, however the bytes are split over packets. Lines end with LF, with or without
 * CR. Lines over 4,096 bytes and replies over 32,768 bytes are rejected, to bound memory.
 */
export class ReplyParser {
  #rest: Buffer = Buffer.alloc(0)
  #lines: string[] = []
  #size = 0

  /**
   * Adds bytes and reports the replies they complete.
   * @throws SmtpProtocolError for anything that is not a reply, after the replies before it were reported
   */
  push(chunk: Buffer, onReply: (reply: SmtpReply) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      const reply = this.#line(bytes, start, end)
      if (reply !== null) onReply(reply)
      start = end + 1
    }
    if (bytes.length - start > MAX_LINE) throw new SmtpProtocolError('The server sent a line without end.')
    this.#rest = start === bytes.length ? EMPTY : bytes.subarray(start)
  }

  /**
   * Discards the bytes of an unfinished reply: bytes from before TLS must not be read as received under TLS (RFC
   * 3207, 5).
   */
  reset(): void {
    this.#rest = EMPTY
    this.#lines = []
    this.#size = 0
  }

  #line(bytes: Buffer, start: number, end: number): SmtpReply | null {
    this.#size += end - start
    if (end - start > MAX_LINE || this.#size > MAX_REPLY)
      throw new SmtpProtocolError('The server sent a reply without end.')
    const line = bytes.toString('utf8', start, end).replace(/\r$/, '')
    const match = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(line)
    if (match === null) throw new SmtpProtocolError('The server sent something that is no SMTP reply.')
    this.#lines.push(match[3] ?? '')
    if (match[2] === '-') return null
    const reply = makeReply(Number(match[1]), this.#lines)
    this.#lines = []
    this.#size = 0
    return reply
  }
}

const EMPTY: Buffer = Buffer.alloc(0)

/** Parts of a quoted reply, e.g. in a bounce; any may be missing. */
export interface QuotedReply {
  code: number | null
  enhanced: string | null
  text: string
}

/** Parses a reply out of quoted text such as `smtp; 550-5.1.1 User unknown`. */
export function parseQuotedReply(text: string): QuotedReply {
  const clean = cleanText(text)
  // Numbers in IP addresses are not codes. Of several replies the rejection counts.
  const bare = clean.replaceAll(/\[[0-9a-f.:]+\]/gi, ' ')
  const code = REFUSAL.exec(bare) ?? SUCCESS.exec(bare)
  const enhanced = ENHANCED_REFUSAL.exec(bare) ?? ENHANCED_SUCCESS.exec(bare)
  return { code: code === null ? null : Number(code[1]), enhanced: enhanced?.[1] ?? null, text: clean }
}

/** A reply code: at the start or after a separator, and followed by one. */
const REFUSAL = /(?:^|[\s:;'"(<>,=])([45][0-5]\d)(?=$|[\s:;\-'",)#]|\.(?!\d))/
const SUCCESS = /(?:^|[\s;'"(])(25[0-3])(?=[\s-])/
/** Not part of an IP address or a version number. */
const ENHANCED_REFUSAL = /(?:^|[\s:;'"(#[<\-=])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d|\.\d)/
const ENHANCED_SUCCESS = /(?:^|[\s:;'"(#[<\-=])(2\.\d{1,3}\.\d{1,3})(?![\d.]*\d|\.\d)/

function makeReply(code: number, said: string[]): SmtpReply {
  let enhanced: string | null = null
  const lines = said.map(line => {
    const match = /^([245]\.\d{1,3}\.\d{1,3})(?=$|[\s:;,-])[\s:;,-]*/.exec(line)
    if (match === null) return cleanText(line)
    enhanced ??= match[1] ?? null
    return cleanText(line.slice(match[0].length))
  })
  return { code, enhanced, text: lines.join(' ').slice(0, MAX_TEXT).trim(), lines }
}

const MAX_TEXT = 1_000
// oxlint-disable-next-line no-control-regex -- replies are shown to people and stored: no control character survives
const UNPRINTABLE = /[\x00-\x20\x7f-\xa0\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

function cleanText(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ').trim().toWellFormed()
}
