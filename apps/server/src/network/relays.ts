import { isIP } from 'node:net'
import { isPublicAddress } from '@emma/delivery/4-deliver/mx/public-address.ts'
import { SUBMISSION_PORTS } from '@emma/delivery/4-deliver/relay-rule.ts'
import { resolveHost, type Resolve } from '../jobs/webhook-address.ts'

/** True if mail classes may use a private relay or another port: those that the operator configured. */
export type IsRelay = (host: string, port: number) => boolean

/**
 * Parses `10.0.0.5`, `relay.internal:2526`, `[::1]:25`: with a port only that one, otherwise all; null if an entry is
 * invalid.
 */
export function parseRelays(list: readonly string[]): IsRelay | null {
  const relays = list.map(readRelay)
  if (!relays.every(relay => relay !== null)) return null
  return (host, port) =>
    relays.some(relay => relay.host === bare(host) && (relay.port === null || relay.port === port))
}

function readRelay(text: string): { host: string; port: number | null } | null {
  if (isIP(text) === 6) return { host: text, port: null }
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::(\d{1,5}))?$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  if (host === undefined || (match?.[1] !== undefined && isIP(host) !== 6)) return null
  const port = match?.[3] === undefined ? null : Number(match[3])
  return port === null || (port >= 1 && port <= 65_535) ? { host: bare(host), port } : null
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

export interface RelayRule {
  isRelay: IsRelay
  /** Allows private addresses, for development and tests. */
  allowPrivate: boolean
  resolve?: Resolve
  /** Ports for everybody; default: those of mail submission. */
  ports?: ReadonlySet<number>
}

/**
 * Returns what is wrong with a relay or another mail server of users; null if nothing. A name that does not resolve yet is accepted: its
 * addresses are checked with every connection (delivery's relay-rule).
 */
export async function judgeRelay(
  host: string,
  port: number,
  rule: RelayRule,
): Promise<'host' | 'port' | null> {
  if (rule.allowPrivate || rule.isRelay(host, port)) return null
  if (!(rule.ports ?? SUBMISSION_PORTS).has(port)) return 'port'
  const name = bare(host)
  if (isIP(name) !== 0) return isPublicAddress(name) ? null : 'host'
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, 3_000).unref())
  const found = await Promise.race([(rule.resolve ?? resolveHost)(name), timeout]).catch(() => [])
  return found.every(({ address }) => isPublicAddress(address)) ? null : 'host'
}
