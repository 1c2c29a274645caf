/**
 * Limits of everything that is publicly reachable. docs/limits.md lists them, and a test compares the two. Bytes
 * count after unpacking. Times are milliseconds.
 */

const KB = 1024
const MB = 1024 * KB

/** Connections of a port: in total, concurrent per address, and per address and minute. */
export interface ConnectionLimits {
  total: number
  perAddress: number
  perAddressMinute: number
}

/** A group of limits with other numbers, for tests that exceed them. */
export type Limits<T> = { readonly [K in keyof T]: T[K] extends number ? number : Limits<T[K]> }

export const API_LIMITS = {
  connections: { total: 2_000, perAddress: 500, perAddressMinute: 6_000 },
  /** Header of one request; Node's default. */
  headerBytes: 16 * KB,
  headersTimeoutMs: 20_000,
  /** JSON of public and account actions, before authentication. */
  publicBodyBytes: 64 * KB,
  /** JSON of all others, unless the action or resource has its own limit. */
  bodyBytes: 2 * MB,
  /** All concurrent bodies of authenticated callers; of anonymous callers. */
  bodiesBytes: 64 * MB,
  publicBodiesBytes: 16 * MB,
  bodyTimeoutMs: 300_000,
  publicBodyTimeoutMs: 30_000,
  /** Values and names in a body, and in a large one. */
  bodyValues: 100_000,
  largeBodyValues: 500_000,
  bodyDepth: 100,
  /** Calls of an address that hand over transactional emails, which have a limit of their own. */
  mailCallsPerAddressMinute: 300_000,
} as const

/** Counts, reports, and searched or filtered lists. */
export const SLOW_READ_LIMITS = {
  /** Concurrent reads in total, and per client. */
  total: 6,
  perClient: 3,
  /** Waiting reads per client, and the maximum waiting time. */
  waitingPerClient: 50,
  waitMs: 10_000,
  statementTimeoutMs: 10_000,
} as const

/** Previews and compilations of templates, each in a thread. */
export const PREVIEW_LIMITS = {
  /** Threads in total, and per client. */
  total: 2,
  perClient: 1,
  waitingPerClient: 30,
  waitMs: 10_000,
  timeoutMs: 10_000,
  threadMemoryBytes: 256 * MB,
} as const

/** Uploaded images, each prepared in a process of its own. */
export const IMAGE_LIMITS = {
  total: 2,
  perClient: 1,
  waitingPerClient: 20,
  waitMs: 60_000,
  timeoutMs: 20_000,
} as const

/** Pictures of mails for galleries, drawn by Chromium one at a time. */
export const PICTURE_LIMITS = {
  timeoutMs: 25_000,
  /** Images of a mail together. */
  imagesBytes: 40 * MB,
} as const

export const FEED_LIMITS = {
  feedBytes: 2 * MB,
  timeoutMs: 10_000,
  /** Entries that are kept of a feed. */
  items: 100,
  /** JSON of a data feed, its values and names, and its levels. */
  dataBytes: 512 * KB,
  dataValues: 20_000,
  dataDepth: 20,
} as const

/** Test mailboxes of other servers. */
export const MAILBOX_LIMITS = {
  /** Mailboxes that are read at a time. */
  mailboxes: 8,
  lineBytes: 256 * KB,
  /** Of a message, its first. */
  messageBytes: MB,
  responseBytes: 2 * MB,
  folders: 500,
  /** Folders that are searched: inbox, spam and promotions first. */
  searchedFolders: 20,
  /** Mails that are searched for at a time, the oldest first. */
  searchedMails: 50,
  connectMs: 15_000,
  answerMs: 20_000,
  totalMs: 60_000,
} as const

/** Data that is fetched for each recipient. */
export const PERSONAL_DATA_LIMITS = { dataBytes: 64 * KB, timeoutMs: 3_000 } as const

/** Imports of templates: pages, HTML and ZIP archives. */
export const IMPORT_LIMITS = {
  total: 2,
  perClient: 1,
  waitingPerClient: 5,
  waitMs: 30_000,
  /** A page with its redirects (R249), and an image of one. */
  pageBytes: 5 * MB,
  pageTimeoutMs: 10_000,
  archiveBytes: 50 * MB,
  archiveEntries: 2_000,
  unpackedBytes: 200 * MB,
  images: 100,
  /** All images of a template. */
  imagesTimeoutMs: 60_000,
  /** To parse a template, in a thread. */
  parseTimeoutMs: 10_000,
  threadMemoryBytes: 256 * MB,
} as const

export const SOCKET_LIMITS = {
  total: 1_000,
  perUser: 20,
  frameBytes: 64 * KB,
  /** Unsent bytes of a console that does not read; further events are dropped. */
  unsentBytes: 1_000_000,
} as const

export const POLL_LIMITS = { total: 200, perUser: 10, timeoutMs: 20_000 } as const

export const TRACKING_LIMITS = {
  connections: { total: 10_000, perAddress: 1_000, perAddressMinute: 60_000 },
  headerBytes: 16 * KB,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
  /** For a peer to read responses that fill its connection. */
  answerTimeoutMs: 30_000,
  /** Connections whose peers do not read their responses. Each holds up to 256 KB. */
  stalledConnections: 200,
  bodyBytes: 64 * KB,
  webhookBodyBytes: 10 * MB,
  /** All webhook calls being read, together. */
  webhookBodiesBytes: 40 * MB,
} as const

/** SMTP submission of transactional emails. */
export const SUBMISSION_LIMITS = {
  connections: { total: 500, perAddress: 50, perAddressMinute: 600 },
  commandBytes: 4 * KB,
  /** Per message. */
  commands: 300,
  mailBytes: 10 * MB,
  /** A message is stored once per recipient: its bytes times its recipients. */
  copiesBytes: 64 * MB,
  /** All messages being received, parsed or stored, with a copy per recipient. */
  mailsBytes: 192 * MB,
  recipients: 100,
  /** Per connection. */
  refusedLogins: 3,
  /** Without a byte. */
  idleTimeoutMs: 60_000,
  /** Time used by the peer for one message; the server's own time is not counted. */
  mailTimeoutMs: 180_000,
  /** To parse one message in a thread. */
  parseTimeoutMs: 10_000,
} as const

export const INBOUND_LIMITS = {
  connections: { total: 200, perAddress: 20, perAddressMinute: 120 },
  commandBytes: 2 * KB,
  /** Per message. */
  commands: 100,
  mailBytes: 5 * MB,
  /** All messages being received or waiting to be parsed, together. */
  mailsBytes: 48 * MB,
  recipients: 10,
  /** Unknown recipients per connection. */
  refusedRecipients: 20,
  /** Without a byte. */
  idleTimeoutMs: 60_000,
  /**
   * Time used by the peer from the greeting, or the reply to the last message, to the end of the next. The server's
   * own time is not counted.
   */
  mailTimeoutMs: 180_000,
  /** To parse one message in a thread. */
  parseTimeoutMs: 10_000,
  /** To verify the signature of a complaint that claims a trusted feedback loop. */
  proofTimeoutMs: 10_000,
  proofDnsTimeoutMs: 3000,
  /** Concurrent verifications of complaints; further complaints count as not verified. */
  proofs: 20,
} as const

/** Outgoing calls of this server: providers, policies, certificates, translations. */
export const EGRESS_LIMITS = {
  responseBytes: 1_000_000,
  totalTimeoutMs: 15_000,
} as const
