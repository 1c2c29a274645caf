import { readTestMailTimes, type TestMailEvent } from '@emma/core/campaigns/test-mails.ts'
import type { Pool } from '@emma/db/connection.ts'
import { classifyIn } from './classify-events.ts'
import { createEventWindow } from './event-window.ts'
import type { VerifiedEvent } from './tracking-event.ts'

/** Classifies opens and clicks of emails of tests, like those of campaigns. */
export function createTestEventClassifier(
  pool: Pool,
): (hits: readonly VerifiedEvent[], later: readonly VerifiedEvent[]) => Promise<TestMailEvent[]> {
  const window = createEventWindow()

  return async (hits, later) => {
    const [first] = hits
    if (!first) return []
    const keys = hits.map(({ token: { clientId, campaignId: testId, memberId: mailId } }) => ({
      clientId,
      testId,
      mailId,
    }))
    const times = await readTestMailTimes(pool, keys)
    window.forgetBefore(first.at)
    for (const hit of [...hits, ...later]) window.add(hit)
    return hits.map((hit, index) => {
      const key = keys[index]
      if (!key) throw new Error('Each event has a key.')
      const sentAt = times[index]?.getTime()
      const msSinceSent = sentAt === undefined || sentAt > hit.at ? null : hit.at - sentAt
      const { verdict } = classifyIn(window, hit, msSinceSent)
      const type = hit.type === 'click' ? 'click' : 'open'
      return { ...key, type, at: new Date(hit.at), isHuman: verdict === 'human' }
    })
  }
}
