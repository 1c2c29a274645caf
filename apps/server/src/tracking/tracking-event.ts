import type { Token } from '@emma/mail/token.ts'
import { tokenLengthAt, type TokenReader } from '@emma/mail/token-reader.ts'

/** An open, a click or a browser view as it came in. */
export interface TrackingEvent {
  type: 'open' | 'click' | 'view'
  /** The mail's signed token. */
  token: string
  /** Milliseconds of the Unix epoch. */
  at: number
  linkIndex: number | null
  ip: string
  userAgent: string
  method: string
  /** A browser or mail program said that nobody looks yet. */
  isAhead: boolean
  /** Somebody in between passed it on and is not trusted to say for whom: the address is theirs. */
  isForwarded: boolean
}

/** A hit whose token has been read. */
export type KnownHit = Omit<TrackingEvent, 'token'> & { token: Token }

/** Real agents are shorter. */
const LONGEST_AGENT = 512

/** IPv6 with a zone. */
const LONGEST_ADDRESS = 64

const letters = { open: 'o', click: 'c', view: 'v' } as const
const types = new Map<string, TrackingEvent['type']>([
  ['o', 'open'],
  ['c', 'click'],
  ['v', 'view'],
])

/** A hit as a line of the journal: cells between tabs, latin1 as HTTP headers are. */
export function formatHit(hit: TrackingEvent): string {
  const index = hit.linkIndex === null ? '' : hit.linkIndex
  const signs = `${hit.isAhead ? 'a' : ''}${hit.isForwarded ? 'f' : ''}`
  return `${letters[hit.type]}${hit.token}${hit.at}\t${index}\t${plain(hit.ip.slice(0, LONGEST_ADDRESS))}\t${hit.method}\t${signs}\t${plain(hit.userAgent.slice(0, LONGEST_AGENT))}\n`
}

/**
 * Reads what `formatHit` wrote; null for a line that is none, or whose token is not of this installation. Tests and seeds are in no
 * figures: for them as well.
 */
export function parseHit(line: string, readToken: TokenReader): KnownHit | null {
  const type = types.get(line.charAt(0))
  const token = readToken(line, 1)
  const [at = '', index = '', ip = '', method = '', signs = '', userAgent = ''] = line
    .slice(1 + tokenLengthAt(line, 1))
    .split('\t')
  if (!type || token?.kind !== 'campaign' || at === '') return null
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

/** Headers hold no line ends but may hold tabs; what a proxy made up may hold anything. */
function plain(text: string): string {
  return UNFIT.test(text) ? text.replaceAll(/[\t\r\n]/g, ' ') : text
}

const UNFIT = /[\t\r\n]/
