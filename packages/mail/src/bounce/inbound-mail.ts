import type { ReplyClass } from '../smtp/reply-rules.ts'

export type InboundKind =
  | 'bounce'
  | 'delayed'
  | 'delivered'
  | 'complaint'
  /** A feedback report that is no complaint: `not-spam`, `auth-failure` and their like. */
  | 'feedback'
  | 'auto-reply'
  | 'unsubscribe'
  | 'other'

/** What a mail says of one recipient of ours. */
export interface InboundRecipient {
  /** As the mail names it; '' where it does not. */
  address: string
  /** Enhanced status code (RFC 3463), from the report or from the reply it quotes. */
  status: string | null
  /** SMTP reply code. */
  reply: number | null
  /** The words about it, at most 1,000 characters. */
  diagnostic: string
  /** The address is bad for good. */
  hard: boolean
  class: ReplyClass
  action: 'failed' | 'delayed' | 'delivered' | 'other'
}

export interface InboundMail {
  kind: InboundKind
  recipients: InboundRecipient[]
  /** The Message-ID of the mail it is about, without brackets. */
  originalMessageId?: string
  /** Header fields of the mail it is about: names in lower case, the first value of each. */
  originalHeaders?: Readonly<Record<string, string>>
  /** Of a complaint, an opt-out or other feedback: `abuse`, `fraud`, `auth-failure`, `opt-out` … (RFC 5965, 7.3). */
  feedbackType?: string
}
