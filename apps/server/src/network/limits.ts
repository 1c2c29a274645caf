/**
 * Bounds of everything that strangers can reach, in one place: docs/limits.md shows them, and its test compares the two.
 * Bytes count after unpacking. Times are milliseconds.
 */

const KB = 1024
const MB = 1024 * KB

/** Connections of a port: in all, of one address at a time, and of one address in a minute. */
export interface ConnectionLimits {
  total: number
  perAddress: number
  perAddressMinute: number
}

/** A group of limits with other numbers, for tests that go past them. */
export type Limits<T> = { readonly [K in keyof T]: T[K] extends number ? number : Limits<T[K]> }

export const API_LIMITS = {
  connections: { total: 2_000, perAddress: 500, perAddressMinute: 6_000 },
  /** Of one request's head; Node's own default. */
  headerBytes: 16 * KB,
  headersTimeoutMs: 20_000,
  /** JSON of public and account actions: nobody is known yet. */
  publicBodyBytes: 64 * KB,
  /** JSON of all others, where the action or resource names no other. */
  bodyBytes: 2 * MB,
  /** Of all bodies of callers who are known that are being read, together; of strangers' bodies. */
  bodiesBytes: 64 * MB,
  publicBodiesBytes: 16 * MB,
  bodyTimeoutMs: 300_000,
  publicBodyTimeoutMs: 30_000,
  /** Values and names in a body, and in one of those that may be larger. */
  bodyValues: 100_000,
  largeBodyValues: 500_000,
  bodyDepth: 100,
} as const

/** Counts, reports, and lists that are searched or filtered. */
export const SLOW_READ_LIMITS = {
  /** At once, of all clients and of one. */
  total: 6,
  perClient: 3,
  /** Of one client that wait for their turn, and how long one waits. */
  waitingPerClient: 50,
  waitMs: 10_000,
  statementTimeoutMs: 10_000,
} as const

/** Previews of templates, each on a thread. */
export const PREVIEW_LIMITS = {
  /** Threads, and those of one client. */
  total: 2,
  perClient: 1,
  waitingPerClient: 10,
  waitMs: 10_000,
  timeoutMs: 10_000,
  threadMemoryBytes: 256 * MB,
} as const

export const SOCKET_LIMITS = {
  total: 1_000,
  perUser: 20,
  frameBytes: 64 * KB,
  /** Unsent bytes of a console that does not read; what comes then is dropped. */
  unsentBytes: 1_000_000,
} as const

export const POLL_LIMITS = { total: 200, perUser: 10, timeoutMs: 20_000 } as const

export const TRACKING_LIMITS = {
  connections: { total: 10_000, perAddress: 1_000, perAddressMinute: 60_000 },
  headerBytes: 16 * KB,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
  /** Until a peer has read answers that fill its connection. */
  answerTimeoutMs: 30_000,
  /** Connections whose peers do not read their answers. Each holds up to 256 KB. */
  stalledConnections: 200,
  bodyBytes: 10_000,
  webhookBodyBytes: 10 * MB,
  /** Of all webhook calls that are being read, together. */
  webhookBodiesBytes: 40 * MB,
} as const

export const INBOUND_LIMITS = {
  connections: { total: 200, perAddress: 20, perAddressMinute: 120 },
  commandBytes: 2 * KB,
  /** For one mail. */
  commands: 100,
  mailBytes: 5 * MB,
  /** Of all mails that are being received or wait to be read, together. */
  mailsBytes: 48 * MB,
  recipients: 10,
  /** Of a connection, that are no address here. */
  refusedRecipients: 20,
  /** Without a byte. */
  idleTimeoutMs: 60_000,
  /** That the peer takes from the greeting, or the answer to the last mail, to the end of the next. Our own work is not counted. */
  mailTimeoutMs: 180_000,
  /** To parse one mail, on a thread of its own. */
  parseTimeoutMs: 10_000,
  /** To verify the signature of a complaint that claims one of a trusted feedback loop. */
  proofTimeoutMs: 10_000,
  proofDnsTimeoutMs: 3000,
  /** Complaints being verified; more are not proven. */
  proofs: 20,
} as const

/** Calls that this server makes: providers, policies, certificates, translations. */
export const EGRESS_LIMITS = {
  responseBytes: 1_000_000,
  totalTimeoutMs: 15_000,
} as const
