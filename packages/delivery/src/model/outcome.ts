import type { SkipReason } from '@emma/db/database-types.ts'
import type { ReplyClass } from '@emma/mail/smtp/reply-rules.ts'
import type { CampaignKey } from './campaign-key.ts'

/** A ledger row claimed by this engine: no other process changes it until its outcome is recorded. */
export interface ClaimedRow extends CampaignKey {
  /** Negative: the testaddress_id of a seed. */
  memberId: number
  email: string
  /** Mailbox provider; 0 is "other". */
  providerId: number
  /** Including this one. */
  attempts: number
  /** Index of the variant of an A/B test; none without. */
  variant?: number | null
}

/** Reply of a server, or a description of the failure. */
export interface Reply {
  code: number | null
  enhanced: string | null
  text: string
  class: ReplyClass
  /** Hard bounce: the address is permanently invalid. */
  hard: boolean
}

/** Outcome of one claimed row. */
export type Outcome =
  /** `retryAfter`: seconds until a deferred message is retried, if a rule overrides the usual delay. */
  | { kind: 'sent' | 'deferred' | 'unknown'; reply: Reply; retryAfter?: number }
  /** `isSenderFault`: rejected because of its sender or content, which all recipients' messages share. */
  | { kind: 'rejected'; reply: Reply; retryAfter?: number; isSenderFault?: boolean }
  /** Not sent, because the recipient may not be sent to any more. */
  | { kind: 'skipped'; reason: SkipReason }
  /**
   * Not tried: the next hop is unreachable or temporarily accepts nothing. The row is released unchanged.
   * `retryAfter`: seconds, if the next hop named them.
   */
  | { kind: 'returned'; text: string; retryAfter?: number }
