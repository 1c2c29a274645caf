import { isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { addressDomain } from '@emma/mail/address.ts'
import { connect, type SmtpConnection, type SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import { SmtpHandshakeError, type SmtpServer } from '@emma/mail/smtp/handshake.ts'
import { lostOutcome, type SmtpOutcome } from '@emma/mail/smtp/outcome.ts'
import { createPool, type SmtpPool } from '@emma/mail/smtp/pool.ts'
import type { Outcome } from '../../model/outcome.ts'
import { checkDane, type DaneDemand, findDane } from './dane.ts'
import { type DnsClient, DnsFault } from './dns-client.ts'
import {
  type Exchanger,
  type Exchangers,
  findAddresses,
  findExchangers,
  inTurn,
  type NoMail,
  routeName,
} from './find-exchangers.ts'
import { allowsHost, type StsPolicies, type StsPolicy } from './mta-sts.ts'
import type { Transport } from '../transport-interface.ts'

/** Settings of the installation for direct delivery. */
export interface MxContext {
  dns: DnsClient
  policies: StsPolicies
  /** Allows exchangers at private addresses and on this machine, for development and tests. */
  allowPrivate: boolean
  /** 25, except in tests. */
  port?: number
  /** CA certificates instead of the system's, in tests. */
  ca?: string
}

export interface MxOptions {
  /** Concurrent connections to all receivers together. */
  connections: number
  /** Source addresses, used in rotation, each with its HELO name; empty: the system's choice. */
  sources: readonly Source[]
  helo: string
}

export interface Source {
  address: string
  helo: string
}

/** Connections per exchanger; large receivers accept more, small ones may block for more. */
const PER_HOST = 4

/** Exchangers, and addresses per exchanger, tried for one connection. */
const MOST_HOSTS = 5
const MOST_ADDRESSES = 3

/** Messages per connection, and idle milliseconds after which it is closed. */
const MOST_MESSAGES = 100
const IDLE = 3_000

/** Milliseconds in which messages to an unreachable receiver are deferred without trying. */
const COOL_DOWN = 60_000

const TIMEOUTS = { connect: 15_000 }

interface Route {
  pool: SmtpPool
  idle: NodeJS.Timeout | null
}

/**
 * Delivers directly to mail exchangers (RFC 5321, 5.1). Domains with the same exchangers share connections. TLS is
 * opportunistic; DANE (RFC 7672) or else MTA-STS (RFC 8461) may require it. If no exchanger is reachable, only the
 * message is deferred, because the fault concerns its domain only.
 */
export function createMxTransport({ connections, sources, helo }: MxOptions, context: MxContext): Transport {
  const { dns, policies, allowPrivate, port = 25 } = context
  const routes = new Map<string, Route>()
  const closing = new Set<Promise<void>>()
  const inUse = new Map<string, number>()
  let turn = 0

  return {
    name: 'mx',
    capacity: connections,
    send,
    async close() {
      for (const name of routes.keys()) closeRoute(name)
      await Promise.all(closing)
    },
  }

  async function send(envelope: SmtpEnvelope, bytes: readonly Buffer[]): Promise<Outcome> {
    const domain = domainToASCII(addressDomain(envelope.to)).toLowerCase()
    if (domain === '') return refused('5.1.2', 'The recipient’s address has no domain.')
    let found: Exchangers | NoMail
    let policy: StsPolicy | null
    try {
      ;[found, policy] = await Promise.all([findExchangers(dns, domain), policies.find(domain)])
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error
      return toOutcome(lostOutcome(error.message, 'connect', false))
    }
    if (found.kind === 'none') return refused(found.enhanced, found.text)
    // No await between here and send, so that the route is not closed in between.
    const sending = routeFor(found.hosts, policy?.mode === 'enforce' ? policy : null)
    const outcome = await sending.route.pool.send(envelope, bytes, { prepared: true })
    if (sending.route.pool.pending === 0) rest(sending.name, sending.route)
    return toOutcome(outcome)
  }

  function routeFor(hosts: readonly Exchanger[], policy: StsPolicy | null): { name: string; route: Route } {
    const name = `${routeName(hosts)}${policy ? ` sts ${policy.mx.join(',')}` : ''}`
    const existing = routes.get(name)
    if (existing) {
      if (existing.idle !== null) clearTimeout(existing.idle)
      existing.idle = null
      return { name, route: existing }
    }
    const pool = createPool({
      host: name,
      port,
      name: helo,
      tls: 'opportunistic',
      connections: Math.min(PER_HOST, connections),
      depth: 1,
      coolDown: COOL_DOWN,
      connect: () => connectTo(hosts, policy),
    })
    const route = { pool, idle: null }
    routes.set(name, route)
    return { name, route }
  }

  /** If there are more receivers than connections, idle ones release theirs at once. */
  function rest(name: string, route: Route): void {
    if (routes.get(name) !== route) return
    if (routes.size > connections) return closeRoute(name)
    if (route.idle !== null) clearTimeout(route.idle)
    route.idle = setTimeout(() => closeRoute(name), IDLE).unref()
  }

  function closeRoute(name: string): void {
    const route = routes.get(name)
    if (!route) return
    routes.delete(name)
    if (route.idle !== null) clearTimeout(route.idle)
    const closed: Promise<void> = route.pool.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /** Tries exchangers by preference until a connection succeeds. */
  async function connectTo(hosts: readonly Exchanger[], policy: StsPolicy | null): Promise<SmtpConnection> {
    let last = failure('No mail server of the recipient could be reached.')
    for (const exchanger of inTurn(hosts).slice(0, MOST_HOSTS)) {
      try {
        return await connectToHost(exchanger, policy)
      } catch (error) {
        if (error instanceof SmtpHandshakeError) last = error
        else if (error instanceof DnsFault) last = failure(error.message)
        else throw error
      }
    }
    throw last
  }

  async function connectToHost({ host, isSecure }: Exchanger, policy: StsPolicy | null) {
    const used = inUse.get(host) ?? 0
    if (used >= PER_HOST) throw failure(`As many connections to ${host} as it is spared are open.`)
    inUse.set(host, used + 1)
    const leave = () => inUse.set(host, (inUse.get(host) ?? 1) - 1)
    try {
      const found = await findAddresses(dns, host, allowPrivate)
      if (found.isPrivate) throw failure(`${host} leads into a private network; mail does not go there.`)
      const dane: DaneDemand = isSecure && found.isSecure ? await findDane(dns, host, port) : { kind: 'none' }
      // DANE takes precedence if both are present (RFC 8461, 2).
      if (dane.kind === 'none' && policy && !allowsHost(policy, host))
        throw failure(`${host} is not among the servers that its domain’s MTA-STS policy names.`)
      const connection = await connectToAny(host, found.addresses, tlsFor(host, dane, policy))
      void connection.ended.then(leave)
      return connection
    } catch (error) {
      leave()
      throw error
    }
  }

  function tlsFor(host: string, dane: DaneDemand, policy: StsPolicy | null): Tls {
    if (dane.kind === 'match') {
      const { records } = dane
      const checkPeer: Tls['checkPeer'] = socket => checkDane(socket, records, [host])
      return { tls: 'required', tlsOptions: { servername: host, rejectUnauthorized: false }, checkPeer }
    }
    if (dane.kind === 'tls')
      return { tls: 'required', tlsOptions: { servername: host, rejectUnauthorized: false } }
    if (policy) {
      const { ca } = context
      return { tls: 'required', tlsOptions: { servername: host, ...(ca === undefined ? {} : { ca }) } }
    }
    return { tls: 'opportunistic', tlsOptions: { servername: host } }
  }

  async function connectToAny(host: string, addresses: readonly string[], tls: Tls): Promise<SmtpConnection> {
    let last = failure(`${host} has no address.`)
    for (const address of addresses.slice(0, MOST_ADDRESSES)) {
      const source = sourceFor(address)
      if (source === undefined) continue
      const server = {
        host: address,
        port,
        name: source?.helo ?? helo,
        ...(source ? { localAddress: source.address } : {}),
        timeouts: TIMEOUTS,
        depth: 1,
        maxMessages: MOST_MESSAGES,
      }
      try {
        return await connect({ ...server, ...tls }).catch((error: unknown) => {
          const isTls = error instanceof SmtpHandshakeError && error.outcome.phase === 'tls'
          // Plain text is better than no delivery, unless a policy requires TLS (RFC 7435).
          if (!isTls || tls.tls !== 'opportunistic') throw error
          return connect({ ...server, tls: 'off' })
        })
      } catch (error) {
        if (!(error instanceof SmtpHandshakeError)) throw error
        last = error
      }
    }
    throw last
  }

  /** The next source address of the same family; undefined if there are some, but none of this family. */
  function sourceFor(address: string): Source | null | undefined {
    if (sources.length === 0) return null
    const fitting = sources.filter(source => isIPv6(source.address) === isIPv6(address))
    return fitting[turn++ % Math.max(1, fitting.length)]
  }
}

type Tls = Pick<SmtpServer, 'tls' | 'tlsOptions' | 'checkPeer'>

function failure(text: string): SmtpHandshakeError {
  return new SmtpHandshakeError(lostOutcome(text, 'connect', false))
}

function refused(enhanced: string, text: string): Outcome {
  return { kind: 'rejected', reply: { code: null, enhanced, text, class: 'bad-domain', hard: true } }
}

function toOutcome({ outcome, code, enhanced, text, class: reason, hard }: SmtpOutcome): Outcome {
  return { kind: outcome, reply: { code, enhanced, text, class: reason, hard } }
}
