import type { SkipReason } from '@emma/db/database-types.ts'
import type { ReplyClass } from '@emma/mail/smtp/reply-rules.ts'
import type { CampaignKey } from './campaign-key.ts'

/** A row of the ledger that this engine has claimed: nobody else touches it until its outcome is recorded. */
export interface ClaimedRow extends CampaignKey {
  /** Negative: the testaddress_id of a seed. */
  memberId: number
  email: string
  /** Who receives it; 0 is "other". */
  providerId: number
  /** This one included. */
  attempts: number
}

/** What a server said, or what happened instead. */
export interface Reply {
  code: number | null
  enhanced: string | null
  text: string
  class: ReplyClass
  /** The address is bad for good. */
  hard: boolean
}

/** What became of one claimed row. */
export type Outcome =
  /** `retryAfter`: seconds until a deferred mail is tried again, where a rule knows better than the usual waiting. */
  | { kind: 'sent' | 'deferred' | 'unknown'; reply: Reply; retryAfter?: number }
  /** `isSenderFault`: refused for its sender or content, which every other recipient's message shares. */
  | { kind: 'rejected'; reply: Reply; retryAfter?: number; isSenderFault?: boolean }
  /** Not sent, because the recipient may not be written to any more. */
  | { kind: 'skipped'; reason: SkipReason }
  /**
   * Not tried: the next hop could not be reached, or takes nothing now. The row goes back as it was. `retryAfter`: seconds
   * until it wants to be asked again, where it has said so.
   */
  | { kind: 'returned'; text: string; retryAfter?: number }
