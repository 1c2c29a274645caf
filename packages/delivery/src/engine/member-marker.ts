import type { Db } from '@emma/db/connection.ts'
import { listToMark, markSent } from '../5-record/mark-sent.ts'
import { keyOf } from '../model/campaign-key.ts'

/** How often members of a campaign that sends learn when they were written to last. */
const MARK_PAUSE = 300_000

/** Marks members who were written to: at once for campaigns that have ended, every few minutes for those that send. */
export class MemberMarker {
  readonly #marked = new Map<string, { at: number; finishedAt: string | null }>()

  async mark(db: Db, isStopping: () => boolean): Promise<void> {
    for (const campaign of await listToMark(db)) {
      if (isStopping()) return
      const { finishedAt } = campaign
      const before = this.#marked.get(keyOf(campaign))
      const now = performance.now()
      // One that has run again, for mails that were unknown, has ended anew.
      if (before?.finishedAt === finishedAt && (finishedAt !== null || now - before.at < MARK_PAUSE)) continue
      await markSent(db, campaign)
      this.#marked.set(keyOf(campaign), { at: now, finishedAt })
    }
  }
}
