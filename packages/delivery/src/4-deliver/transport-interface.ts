import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { Outcome } from '../model/outcome.ts'

/** A way out: a name and a `send`. */
export interface Transport {
  readonly name: string
  /** Mails that may be on their way at once; more only wait. */
  readonly capacity: number
  /**
   * Hands over one mail. Never rejects.
   *
   * @param of whose mail it is, for what relays are told of it
   */
  send(envelope: SmtpEnvelope, bytes: readonly Buffer[], of?: CampaignKey): Promise<Outcome>
  /** Brings what was handed over to its end. */
  close(): Promise<void>
}
