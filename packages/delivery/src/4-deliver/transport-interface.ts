import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { Outcome } from '../model/outcome.ts'

/** Sends messages to a next hop. */
export interface Transport {
  readonly name: string
  /** Maximum number of messages in flight; more would only wait. */
  readonly capacity: number
  /**
   * Sends one message. Never rejects.
   * @param of the campaign, for header fields to relays
   */
  send(envelope: SmtpEnvelope, bytes: readonly Buffer[], of?: CampaignKey): Promise<Outcome>
  /** Waits for pending messages, then closes. */
  close(): Promise<void>
}
