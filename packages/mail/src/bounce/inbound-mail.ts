import type { ReplyClass } from '../smtp/reply-rules.ts'

export type InboundKind =
  | 'bounce'
  | 'delayed'
  | 'delivered'
  | 'complaint'
  /** A feedback report that is not a complaint: `not-spam`, `auth-failure` and similar. */
  | 'feedback'
  | 'auto-reply'
  | 'unsubscribe'
  | 'other'

/** What a report says about one recipient. */
export interface InboundRecipient {
  /** As written in the message; '' if missing. */
  address: string
  /** Enhanced status code (RFC 3463), from the report or from the reply it quotes. */
  status: string | null
  /** SMTP reply code. */
  reply: number | null
  /** Diagnostic text, at most 1,000 characters. */
  diagnostic: string
  /** Hard bounce: the address is permanently invalid. */
  hard: boolean
  class: ReplyClass
  action: 'failed' | 'delayed' | 'delivered' | 'other'
}

export interface InboundMail {
  kind: InboundKind
  recipients: InboundRecipient[]
  /** Message-ID of the original message, without brackets. */
  originalMessageId?: string
  /** Header fields of the original message: names in lower case, the first value of each. */
  originalHeaders?: Readonly<Record<string, string>>
  /**
   * Feedback type of a complaint, opt-out or other feedback: `abuse`, `fraud`, `auth-failure`, `opt-out` … (RFC 5965,
   * 7.3).
   */
  feedbackType?: string
}
