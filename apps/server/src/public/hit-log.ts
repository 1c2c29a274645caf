import type { Pool } from '@emma/db/connection.ts'
import { appendEvents } from '@emma/delivery/6-react/append-events.ts'
import type { Token } from '@emma/mail/token.ts'
import type { Logger } from '../logger.ts'
import { createHitJudge } from './judge-hits.ts'

/** An open, a click or a browser view as it came in. */
export interface Hit {
  type: 'open' | 'click' | 'view'
  token: Token
  at: Date
  linkIndex: number | null
  ip: string
  userAgent: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Collects hits and writes them with their verdict. */
export interface HitLog {
  add(hit: Hit): void
  /** Writes what is left, and from then on what comes at once. */
  close(): Promise<void>
}

/** Hits are answered at once and written in sets, at the latest after this many milliseconds. */
const FLUSH_AFTER = 200

/** Hits of one write at most. */
const BATCH = 5_000

/** Held back while the database is away; beyond, the newest are dropped and counted in the log. */
const MOST_KEPT = 100_000

/** How often a write is tried once the process has to end. */
const LAST_TRIES = 5

export function createHitLog(pool: Pool, logger: Logger): HitLog {
  const judge = createHitJudge(pool)
  let waiting: Hit[] = []
  let dropped = 0
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosing = false

  return {
    add(hit) {
      if (waiting.length >= MOST_KEPT) {
        if (dropped++ % 10_000 === 0)
          logger.error({ dropped }, 'Too many hits wait to be written: some are lost')
        return
      }
      waiting.push(hit)
      if (isClosing) start()
      else timer ??= setTimeout(start, FLUSH_AFTER)
    },
    async close() {
      isClosing = true
      start()
      for (let turn = 0; writing !== null && turn < LAST_TRIES; turn++) {
        await writing
        start()
      }
    },
  }

  function start(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.length > 0) writing ??= write()
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const hits = waiting.slice(0, BATCH)
      try {
        await appendEvents(pool, await judge(hits))
        waiting = waiting.slice(hits.length)
      } catch (error) {
        logger.error({ err: error, waiting: waiting.length }, 'Hits could not be written; trying on')
        if (!isClosing) timer ??= setTimeout(start, 1_000)
        break
      }
    }
    writing = null
  }
}
