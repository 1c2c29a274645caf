import type { Db } from '@emma/db/connection.ts'
import { listToMark, markSent } from '../5-record/mark-sent.ts'
import { keyOf } from '../model/campaign-key.ts'

/** Milliseconds between updates of members' last sending time for a running campaign. */
const MARK_PAUSE = 300_000

/** Updates the last sending time of members: at once for ended campaigns, every few minutes for running ones. */
export class MemberMarker {
  readonly #marked = new Map<string, { at: number; finishedAt: string | null }>()

  async mark(db: Db, isStopping: () => boolean): Promise<void> {
    const campaigns = await listToMark(db)
    const listed = new Set(campaigns.map(keyOf))
    for (const key of this.#marked.keys()) if (!listed.has(key)) this.#marked.delete(key)
    for (const campaign of campaigns) {
      if (isStopping()) return
      const { finishedAt } = campaign
      const before = this.#marked.get(keyOf(campaign))
      const now = performance.now()
      // A campaign that was reopened for unknown messages has ended again.
      if (before?.finishedAt === finishedAt && (finishedAt !== null || now - before.at < MARK_PAUSE)) continue
      await markSent(db, campaign)
      this.#marked.set(keyOf(campaign), { at: now, finishedAt })
    }
  }
}
