import type { ReplyClass } from '@emma/mail/smtp/reply-rules.ts'
import { type CampaignKey, keyOf } from '../model/campaign-key.ts'
import type { Outcome, Reply } from '../model/outcome.ts'

/** Refusals in a row for the sender's own fault after which a campaign is held. */
export const SENDER_FAULT_LIMIT = 10

/** Classes of replies about the sender: its authentication and reputation, its rights, what it wrote. */
const ABOUT_SENDER: ReadonlySet<ReplyClass> = new Set(['reputation', 'policy', 'spam', 'content'])

/** The refusal of a message for its sender or content, which every other recipient's message shares; else null. */
export function senderFault(outcome: Outcome): Reply | null {
  if (outcome.kind !== 'rejected') return null
  // A sending service says itself whom it blames; its own suppression list is no fault of the sender.
  const isBlamed = outcome.isSenderFault ?? outcome.reply.code !== null
  if (outcome.isSenderFault || (isBlamed && ABOUT_SENDER.has(outcome.reply.class))) return outcome.reply
  return null
}

/** A fault of the sender says nothing of the address: it is never a hard bounce, nor counted as a soft one. */
export function blameSender(outcome: Outcome): Outcome {
  const reply = senderFault(outcome)
  if (reply === null || outcome.kind !== 'rejected') return outcome
  return {
    ...outcome,
    reply: { ...reply, class: ABOUT_SENDER.has(reply.class) ? reply.class : 'policy', hard: false },
  }
}

/** Milliseconds after which the last message of a campaign that was held has its reply. */
const IN_FLIGHT_MS = 900_000

/** Counts, by campaign, refusals in a row for the sender's own fault. A delivery begins the count again. */
export class SenderFaultCounter {
  readonly #inRow = new Map<string, number>()
  /** When campaigns that reached the limit stopped running: replies to their messages in flight still count. */
  readonly #heldAt = new Map<string, number>()

  /** @returns true with the refusal that reaches the limit, and each that follows it */
  record(campaign: CampaignKey, outcome: Outcome): boolean {
    const key = keyOf(campaign)
    if (outcome.kind === 'sent') this.#forget(key)
    if (senderFault(outcome) === null) return false
    const count = (this.#inRow.get(key) ?? 0) + 1
    this.#inRow.set(key, count)
    return count >= SENDER_FAULT_LIMIT
  }

  /** Forgets campaigns that do not run: one that goes on is counted again. */
  keepOnly(running: { has(key: string): boolean }): void {
    const now = performance.now()
    for (const [key, count] of this.#inRow) {
      const heldAt = this.#heldAt.get(key)
      const isHeld = !running.has(key) && count >= SENDER_FAULT_LIMIT && now - (heldAt ?? now) < IN_FLIGHT_MS
      if (isHeld) this.#heldAt.set(key, heldAt ?? now)
      else if (!running.has(key) || heldAt !== undefined) this.#forget(key)
    }
  }

  #forget(key: string): void {
    this.#inRow.delete(key)
    this.#heldAt.delete(key)
  }
}
