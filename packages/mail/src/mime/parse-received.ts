import PostalMime, { type Email } from 'postal-mime'

/** What a receiving server noted about a message, and the message itself. */
export interface ReceivedMail extends ReceivedTrace {
  subject: string
  /** Empty without such a part. */
  html: string
  text: string
}

export interface ReceivedTrace {
  /** Results of the receiving server (RFC 8601): `pass`, `fail`, `softfail`, `none` …; null if it noted none. */
  spf: string | null
  dkim: string | null
  dmarc: string | null
  /** Public address that the receiving server saw; null if it noted none. */
  receivedIp: string | null
}

const MOST_NESTING = 50
const MOST_HEADER_BYTES = 256 * 1024

/**
 * Parses a message from a mailbox.
 * @param boundary name of a header that the sender wrote first: only headers above it are from receiving servers
 * @throws if the message is nested too deeply, or its headers are too long
 */
export async function parseReceived(source: Uint8Array, boundary: string): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(source, {
    maxNestingDepth: MOST_NESTING,
    maxHeadersSize: MOST_HEADER_BYTES,
  })
  return {
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    ...traceOf(mail.headers, boundary.toLowerCase()),
  }
}

function traceOf(headers: Email['headers'], boundary: string): ReceivedTrace {
  const end = headers.findIndex(({ key }) => key === boundary)
  const trace = headers.slice(0, end === -1 ? headers.length : end).slice(0, MOST_TRACE_HEADERS)
  const valuesOf = (name: string) =>
    trace.filter(({ key }) => key === name).map(({ value }) => value.slice(0, MOST_VALUE_CHARACTERS))
  const results = valuesOf('authentication-results')
  const resultOf = (method: string) => {
    const found = results
      .map(result => new RegExp(`(?:^|[;\\s])${method}\\s?=\\s?([a-z]{1,20})\\b`, 'i').exec(result)?.[1])
      .find(Boolean)
    return found?.toLowerCase() ?? null
  }
  const [spf = ''] = valuesOf('received-spf')
  return {
    spf: resultOf('spf') ?? /^\s{0,10}([a-z]{1,20})\b/i.exec(spf)?.[1]?.toLowerCase() ?? null,
    dkim: resultOf('dkim'),
    dmarc: resultOf('dmarc'),
    receivedIp:
      /client-ip=([\da-f:.]{3,45})/i.exec(spf)?.[1] ??
      valuesOf('received')
        .map(value => /^\s{0,10}from [^;]{0,1000}?\[(?:IPv6:)?([\da-f:.]{3,45})\]/i.exec(value)?.[1])
        .find(address => address !== undefined && !isPrivate(address)) ??
      null,
  }
}

const MOST_TRACE_HEADERS = 100
const MOST_VALUE_CHARACTERS = 4_000

/** Hops within a provider, in private networks. */
function isPrivate(address: string): boolean {
  return /^(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe80:)/i.test(address)
}
