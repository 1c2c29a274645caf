import { isIP } from 'node:net'
import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import type { SmtpOutcome } from '@emma/mail/smtp/outcome.ts'
import { createPool, type SmtpPoolOptions } from '@emma/mail/smtp/pool.ts'
import type { Outcome } from '../outcome.ts'

/** A way out: a name and a `send`. */
export interface Transport {
  readonly name: string
  /** Mails that may be on their way at once; more only wait. */
  readonly capacity: number
  /** Hands over one mail. Never rejects. */
  send(envelope: SmtpEnvelope, bytes: readonly Buffer[]): Promise<Outcome>
  /** Brings what was handed over to its end. */
  close(): Promise<void>
}

/** How a mail class sends; passwords are open here and nowhere else. */
export type TransportSettings =
  | { transport: 'testbed'; connections: number }
  | {
      transport: 'smtp'
      connections: number
      host: string
      port: number
      tls: 'none' | 'starttls' | 'tls'
      auth: { user: string; password: string } | null
    }

/** What the installation adds to the settings of a mail class. */
export interface TransportHouse {
  testbed: { host: string; port: number }
  /** Whether mail may leave this machine. */
  realDelivery: boolean
  /** The name this machine greets servers with. */
  helo: string
}

/** A mail class that cannot send here; the message says why. */
export class TransportFault extends Error {
  override name = 'TransportFault'
}

/**
 * Opens the way out of a mail class. No connection is made before the first mail.
 *
 * @throws TransportFault when real delivery is off and the next hop is another machine
 */
export function openTransport(settings: TransportSettings, house: TransportHouse): Transport {
  if (settings.transport === 'testbed')
    return overPool('testbed', {
      ...house.testbed,
      name: house.helo,
      tls: 'off',
      connections: settings.connections,
    })
  const { host, port, tls, auth, connections } = settings
  if (!house.realDelivery && !isLoopback(host))
    throw new TransportFault(
      `Real delivery is switched off, and the mail class sends over ${host}. An administrator can switch it on.`,
    )
  return overPool('smtp', {
    host,
    port,
    name: house.helo,
    tls: TLS[tls],
    connections,
    ...(auth === null ? {} : { auth }),
  })
}

const TLS = { none: 'off', starttls: 'required', tls: 'implicit' } as const

function overPool(name: string, options: SmtpPoolOptions): Transport {
  const pool = createPool(options)
  return {
    name,
    capacity: pool.capacity,
    send: async (envelope, bytes) => toOutcome(await pool.send(envelope, bytes, { prepared: true })),
    close: () => pool.close(),
  }
}

/** Before the first mail is spoken of, whatever goes wrong is between us and the next hop: no recipient's fault. */
const HANDSHAKE = new Set(['connect', 'greeting', 'ehlo', 'tls', 'auth'])

function toOutcome({ outcome, phase, code, enhanced, text, class: reason, hard }: SmtpOutcome): Outcome {
  if (outcome !== 'sent' && outcome !== 'unknown' && HANDSHAKE.has(phase)) return { kind: 'returned', text }
  return { kind: outcome, reply: { code, enhanced, text, class: reason, hard } }
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}
