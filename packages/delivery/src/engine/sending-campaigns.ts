import { keyOf, type CampaignKey } from '../model/campaign-key.ts'
import type { Outcome } from '../model/outcome.ts'
import type { RunningCampaign } from './running-campaigns.ts'
import { blameSender, SenderFaultCounter, senderFault } from './sender-faults.ts'

export interface RefusedCampaign {
  campaign: RunningCampaign
  reply: string
}

/** Campaigns whose messages may be sent: running ones, without those that receivers reject for their content or sender. */
export class SendingCampaigns {
  readonly #senderFaults = new SenderFaultCounter()
  readonly #refused: RefusedCampaign[] = []
  #sending = new Map<string, RunningCampaign>()

  /** Replaces the running campaigns and their settings. */
  follow(campaigns: readonly RunningCampaign[]): void {
    const running = new Map(campaigns.map(campaign => [keyOf(campaign), campaign]))
    // Rejections of a campaign that is not held yet still count: its messages in flight are returned.
    this.#senderFaults.keepOnly(running)
    for (const { campaign } of this.#refused) running.delete(keyOf(campaign))
    this.#sending = running
  }

  /** The campaign with its current settings; null if it must not send. */
  find(campaign: CampaignKey): RunningCampaign | null {
    return this.#sending.get(keyOf(campaign)) ?? null
  }

  /**
   * The outcome to record. The rejection that makes a campaign be held is not the recipient's outcome: they get the
   * message when it resumes.
   */
  judge(decided: Outcome, campaign: RunningCampaign): Outcome {
    const outcome = blameSender(decided)
    if (!this.#senderFaults.record(campaign, outcome)) return outcome
    const reply = senderFault(outcome)
    if (this.#sending.delete(keyOf(campaign))) this.#refused.push({ campaign, reply: reply?.text ?? '' })
    return { kind: 'returned', text: '' }
  }

  /** Campaigns rejected since the last call, to be held. */
  takeRefused(): RefusedCampaign[] {
    return this.#refused.splice(0)
  }
}
