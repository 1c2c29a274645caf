/** Reply to a rejected recipient, as on the wire: code, then enhanced code and text. */
export interface Reply {
  code: number
  text: string
}

/** Course of an SMTP transaction with one recipient. */
export type Behaviour =
  /** 250. */
  | 'accept'
  /** The mailbox does not exist: 5xx at RCPT. */
  | 'unknown'
  /** Over quota: 452 or 552 at RCPT, by provider. */
  | 'full'
  /** 451 for the first attempt to a recipient, accepted some seconds later. */
  | 'greylist'
  /** 4xx "too many mails" for the first attempts, accepted later. */
  | 'defer'
  /** Content or sender rejected: 5xx after DATA. */
  | 'reject'
  /** Accepted with a delayed reply. */
  | 'slow'
  /** The whole message is received and stored, then the connection ends without a reply. */
  | 'drop'
  /** The connection ends during DATA; nothing is stored. */
  | 'cut'
  /** 250 first, a delivery status notification (RFC 3464) later. */
  | 'dsn'

/** Addresses per 1,000 with behaviours other than `accept`. */
export type BehaviourWeights = Partial<Record<Exclude<Behaviour, 'accept'>, number>>

/** Behaviours with a reply of the profile. */
export type RefusingBehaviour = 'unknown' | 'full' | 'greylist' | 'defer' | 'reject'

/** Fetches images on behalf of the reader. */
export type ImageProxy = 'google' | 'yahoo' | 'apple-mpp'

/** How readers react to a message in the inbox; shares from 0 to 1. */
export interface Engagement {
  /** Share of messages that are opened. */
  open: number
  /** Share of opened messages with a click. */
  click: number
  /** Share of opened messages with an unsubscribe (one-click POST or mailto). */
  unsubscribe: number
  /** Share of messages marked as spam, reported by ARF. */
  complaint: number
  /** Share of messages whose links a security gateway follows on arrival. */
  scanner: number
}

/** A mailbox provider of the testbed. */
export interface ProviderProfile {
  name: string
  /** Mail domains, lower-case; non-ASCII names in Unicode form. */
  domains: readonly string[]
  /** MX hosts, best first; domains of one provider, or of two, may share them. */
  mx: readonly string[]
  weights: BehaviourWeights
  replies: Readonly<Record<RefusingBehaviour, Reply>>
  /** Share of accepted messages in folders other than the inbox. */
  folders: { spam: number; promotions: number }
  engagement: Engagement
  imageProxy: ImageProxy | null
  /** Complaint reports name the recipient; many providers omit it. */
  namesComplainer: boolean
  /** A delivery status notification returns the whole message or its header only. */
  returns: 'message' | 'headers'
  /** Maximum recipients per minute, then `defer`; null: no limit. */
  perMinute: number | null
}
