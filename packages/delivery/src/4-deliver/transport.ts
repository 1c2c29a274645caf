import { isIP } from 'node:net'
import { fault, type Fault } from '@emma/contract/faults.ts'
import { connect } from '@emma/mail/smtp/client.ts'
import type { SmtpOutcome } from '@emma/mail/smtp/outcome.ts'
import { createPool, type SmtpPoolOptions } from '@emma/mail/smtp/pool.ts'
import type { Outcome } from '../model/outcome.ts'
import { type ApiLogin, baseUrlOf } from './esp/esp-login.ts'
import { createEspTransport } from './esp/esp-transport.ts'
import { createFailOver } from './fail-over.ts'
import { type MtaHeader, mtaHeaders } from './mta-headers.ts'
import { isPrivateAllowed, mayRelayOver, publicLookup, type RelayRules } from './relay-rule.ts'
import { createMxTransport, type MxContext, type Source } from './mx/mx-transport.ts'
import type { Transport } from './transport-interface.ts'

export interface SmtpLogin {
  via: 'smtp'
  /** Id of the stored login; null for the mail class's own. */
  id: number | null
  host: string
  port: number
  tls: 'none' | 'starttls' | 'tls'
  auth: { user: string; password: string } | null
}

/** One of several logins of a mail class: a relay or an ESP. */
export type Login = SmtpLogin | ApiLogin

/** How a mail class sends. The only place with decrypted passwords. */
export type TransportSettings =
  | { transport: 'testbed'; connections: number }
  | ({
      transport: 'smtp'
      connections: number
      /** For PowerMTA, GreenArrow, KumoMTA: virtual MTA, pool, job. */
      headers?: readonly MtaHeader[]
      /** IP or virtual MTA for these headers. */
      sendIp?: string | null
      /** Source addresses, used in rotation; empty: the system's choice. */
      sources?: readonly Source[]
      /** Used in order if the previous one is rejected. */
      fallbacks?: readonly Login[]
    } & Omit<SmtpLogin, 'via' | 'id'>)
  | { transport: 'mx'; connections: number; sources: readonly Source[] }
  | { transport: 'esp'; connections: number; logins: readonly Login[] }

/** Settings of the installation for mail that leaves this machine. */
export interface Outgoing extends RelayRules {
  /** Direct delivery; a mail class that needs it is held without. */
  mx?: MxContext | undefined
}

/** Settings that the installation adds to those of a mail class. */
export interface TransportContext extends Outgoing {
  testbed: { host: string; port: number }
  /** True if mail may leave this machine. */
  realDelivery: boolean
  /** HELO name of this machine. */
  helo: string
  /** Called once when a login is set aside; null for the mail class's own. */
  onRefusedLogin?: ((loginId: number | null, reason: string) => void) | undefined
}

/** Thrown for a mail class that cannot send here; the message says why. */
export class TransportFault extends Error {
  override name = 'TransportFault'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/**
 * Opens the transport of a mail class. Connections are opened on demand.
 * @throws TransportFault if real delivery is off and the next hop is another machine, or if nothing is configured
 */
export function openTransport(settings: TransportSettings, context: TransportContext): Transport {
  const { connections } = settings
  if (settings.transport === 'testbed')
    return overPool('testbed', { ...context.testbed, name: context.helo, tls: 'off', connections })
  if (settings.transport === 'mx') {
    assertMayLeave(context, fault('campaign.off_direct'))
    if (!context.mx) throw new TransportFault(fault('campaign.no_direct'))
    return createMxTransport({ connections, sources: settings.sources, helo: context.helo }, context.mx)
  }
  if (settings.transport === 'esp') return loginTransports(settings.logins, connections, context)
  const { host, port, tls, auth, fallbacks = [], headers = [], sendIp = null, sources = [] } = settings
  const own = { via: 'smtp', id: null, host, port, tls, auth } as const
  const transport = loginTransports([own, ...fallbacks], connections, context, sources)
  return headers.length === 0 ? transport : withHeaders(transport, headers, sendIp)
}

function loginTransports(
  logins: readonly Login[],
  connections: number,
  host: TransportContext,
  sources: readonly Source[] = [],
): Transport {
  const ways = logins.map(login => ({
    id: login.id,
    transport: loginTransport(login, connections, host, sources),
  }))
  const [first] = ways
  if (!first) throw new TransportFault(fault('campaign.no_service'))
  return ways.length === 1 ? first.transport : createFailOver(ways, host.onRefusedLogin)
}

function loginTransport(
  login: Login,
  connections: number,
  context: TransportContext,
  sources: readonly Source[],
): Transport {
  if (login.via !== 'smtp') {
    const { hostname } = new URL(baseUrlOf(login))
    if (!isLoopback(hostname)) assertMayLeave(context, fault('campaign.off_over', { host: hostname }))
    return createEspTransport(login, { connections, allowPrivate: context.allowPrivate ?? false })
  }
  const { host, port, tls, auth } = login
  if (!isLoopback(host)) assertMayLeave(context, fault('campaign.off_over', { host }))
  const isPrivate = isPrivateAllowed(context, host, port)
  if (!isPrivate && !mayRelayOver(host, port))
    throw new TransportFault(fault('campaign.relay_refused', { host: `${host}:${port}` }))
  const options = {
    host,
    port,
    tls: TLS[tls],
    connections,
    ...(isPrivate ? {} : { lookup: publicLookup }),
    ...(auth === null ? {} : { auth }),
  }
  return overPool('smtp', { ...options, name: context.helo }, sources)
}

const TLS = { none: 'off', starttls: 'required', tls: 'implicit' } as const

function assertMayLeave({ realDelivery }: TransportContext, refusal: Fault): void {
  if (!realDelivery) throw new TransportFault(refusal)
}

function overPool(name: string, options: SmtpPoolOptions, sources: readonly Source[] = []): Transport {
  const pool = createPool(sources.length === 0 ? options : { ...options, connect: inTurns(options, sources) })
  return {
    name,
    capacity: pool.capacity,
    send: async (envelope, bytes) => toOutcome(await pool.send(envelope, bytes, { prepared: true })),
    close: () => pool.close(),
  }
}

/** Rotates source addresses over connections, each with its HELO name. */
function inTurns(options: SmtpPoolOptions, sources: readonly Source[]) {
  let turn = 0
  return () => {
    const { address = '', helo = '' } = sources[turn++ % sources.length] ?? {}
    return connect({ ...options, localAddress: address, name: helo })
  }
}

function withHeaders(transport: Transport, headers: readonly MtaHeader[], sendIp: string | null): Transport {
  return {
    ...transport,
    send: (envelope, bytes, of) => transport.send(envelope, [mtaHeaders(headers, of, sendIp), ...bytes], of),
  }
}

/** Before MAIL, any fault is between EMMA and the next hop, not the recipient's. */
const HANDSHAKE = new Set(['connect', 'greeting', 'ehlo', 'tls', 'auth'])

function toOutcome({ outcome, phase, code, enhanced, text, class: reason, hard }: SmtpOutcome): Outcome {
  if (outcome !== 'sent' && outcome !== 'unknown' && HANDSHAKE.has(phase)) return { kind: 'returned', text }
  return { kind: outcome, reply: { code, enhanced, text, class: reason, hard } }
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1' || host === '[::1]') return true
  return isIP(host) === 4 && host.startsWith('127.')
}
