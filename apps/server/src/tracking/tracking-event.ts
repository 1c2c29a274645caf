import type { Token, TokenKind } from '@emma/mail/token.ts'
import { tokenLengthAt, type TokenReader } from '@emma/mail/token-reader.ts'

/** An open, a click or a browser view as received. */
export interface TrackingEvent {
  type: 'open' | 'click' | 'view'
  /** The message's signed token. */
  token: string
  /** Milliseconds since the epoch. */
  at: number
  linkIndex: number | null
  ip: string
  userAgent: string
  method: string
  /** Marked as a prefetch by a browser or mail program. */
  isAhead: boolean
  /** Forwarded by an untrusted proxy: the address is the proxy's. */
  isForwarded: boolean
}

/** A tracking event with a verified token. */
export type VerifiedEvent = Omit<TrackingEvent, 'token'> & { token: Token }

/** Real user agents are shorter. */
const LONGEST_AGENT = 512

/** IPv6 with a zone. */
const LONGEST_ADDRESS = 64

const letters = { open: 'o', click: 'c', view: 'v' } as const
const types = new Map<string, TrackingEvent['type']>([
  ['o', 'open'],
  ['c', 'click'],
  ['v', 'view'],
])

/** Formats an event as a line of the spool: cells between tabs, latin1 like HTTP headers. */
export function formatEvent(hit: TrackingEvent): string {
  const index = hit.linkIndex === null ? '' : hit.linkIndex
  const signs = `${hit.isAhead ? 'a' : ''}${hit.isForwarded ? 'f' : ''}`
  return `${letters[hit.type]}${hit.token}${hit.at}\t${index}\t${plain(hit.ip.slice(0, LONGEST_ADDRESS))}\t${hit.method}\t${signs}\t${plain(hit.userAgent.slice(0, LONGEST_AGENT))}\n`
}

/**
 * Parses a line of `formatEvent`; null if it is invalid, or its token is not of this installation. Null also for seeds
 * and pages of tests, which do not count.
 */
export function parseEvent(line: string, readToken: TokenReader): VerifiedEvent | null {
  const type = types.get(line.charAt(0))
  const token = readToken(line, 1)
  const [at = '', index = '', ip = '', method = '', signs = '', userAgent = ''] = line
    .slice(1 + tokenLengthAt(line, 1))
    .split('\t')
  if (!type || !token || !counted.has(token.kind) || at === '') return null
  return {
    type,
    token,
    at: Number(at),
    linkIndex: index === '' ? null : Number(index),
    ip,
    userAgent,
    method,
    isAhead: signs.includes('a'),
    isForwarded: signs.includes('f'),
  }
}

const counted: ReadonlySet<TokenKind> = new Set<TokenKind>(['campaign', 'test_mail'])

/** Headers contain no line ends but possibly tabs; forged values may contain anything. */
function plain(text: string): string {
  return UNFIT.test(text) ? text.replaceAll(/[\t\r\n]/g, ' ') : text
}

const UNFIT = /[\t\r\n]/
