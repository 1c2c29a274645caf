interface Limited {
  clientId: number
  id: number
  /** 0: no limit. */
  ratePerMinute: number
}

const MINUTE_MS = 60_000

/** Counts the emails of each transactional email by minute, for its rate limit; each process counts separately. */
export function createMailCounter() {
  const counts = new Map<string, { mails: number; until: number }>()
  return {
    /** False if these emails would exceed the limit; they are not counted then. */
    take({ clientId, id, ratePerMinute }: Limited, mails: number, now = Date.now()): boolean {
      if (ratePerMinute === 0) return true
      for (const [name, { until }] of counts) if (until <= now) counts.delete(name)
      const name = `${clientId}/${id}`
      const count = counts.get(name) ?? { mails: 0, until: now + MINUTE_MS }
      if (count.mails + mails > ratePerMinute) return false
      count.mails += mails
      counts.set(name, count)
      return true
    },
  }
}
