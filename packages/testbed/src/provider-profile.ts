/** What the server says to a recipient it does not take, as on the wire: code, then enhanced code and words. */
export interface Reply {
  code: number
  text: string
}

/** How an SMTP transaction with one recipient goes. */
export type Behaviour =
  /** 250. */
  | 'accept'
  /** The mailbox does not exist: 5xx at RCPT. */
  | 'unknown'
  /** The mailbox is over its quota: 452 or 552 at RCPT, as the provider does it. */
  | 'full'
  /** 451 the first time a sender writes to a recipient, accepted some seconds later. */
  | 'greylist'
  /** 4xx "too many mails" for the first attempts, accepted later. */
  | 'defer'
  /** Content or sender refused: 5xx after DATA. */
  | 'reject'
  /** Accepted, but the reply takes its time. */
  | 'slow'
  /** The whole mail is received and kept, then the connection ends without a reply. */
  | 'drop'
  /** The connection ends in the middle of DATA; nothing is kept. */
  | 'cut'
  /** 250 first, a delivery status notification (RFC 3464) later. */
  | 'dsn'

/** Behaviours other than `accept`, in addresses of 1,000. */
export type BehaviourWeights = Partial<Record<Exclude<Behaviour, 'accept'>, number>>

/** Behaviours that end in a reply of the profile. */
export type RefusingBehaviour = 'unknown' | 'full' | 'greylist' | 'defer' | 'reject'

/** Who fetches a mail's pictures on behalf of the reader. */
export type ImageProxy = 'google' | 'yahoo' | 'apple-mpp'

/** How the people behind the mailboxes act on a mail in the inbox; shares from 0 to 1. */
export interface Engagement {
  /** Share of mails that a person opens. */
  open: number
  /** Share of opened mails with a click. */
  click: number
  /** Share of opened mails with an unsubscribe (one-click POST or mailto). */
  unsubscribe: number
  /** Share of mails marked as spam, of which the sender hears by ARF. */
  complaint: number
  /** Share of mails whose links a security gateway follows on arrival. */
  scanner: number
}

/** One receiving provider of the testbed. */
export interface ProviderProfile {
  name: string
  /** Mail domains, lower-case; non-ASCII names in Unicode form. */
  domains: readonly string[]
  /** MX hosts, best first; domains of one provider, or of two, may share them. */
  mx: readonly string[]
  weights: BehaviourWeights
  replies: Readonly<Record<RefusingBehaviour, Reply>>
  /** Share of accepted mails put into other folders than the inbox. */
  folders: { spam: number; promotions: number }
  engagement: Engagement
  imageProxy: ImageProxy | null
  /** Whether complaint reports name the recipient; many providers leave it out. */
  namesComplainer: boolean
  /** Whether a delivery status notification returns the whole mail or its header alone. */
  returns: 'message' | 'headers'
  /** Most recipients a minute, then `defer` for everyone; null is no limit. */
  perMinute: number | null
}
