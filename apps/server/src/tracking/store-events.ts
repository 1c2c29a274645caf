import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '@emma/db/connection.ts'
import { copyEvents } from '@emma/core/events/append-events.ts'
import { recordTestEvents, type TestMailEvent } from '@emma/core/campaigns/test-mails.ts'
import type { NewEvent } from '@emma/core/events/event.ts'
import type { TokenReader } from '@emma/mail/token-reader.ts'
import type { Logger } from '../logger.ts'
import { type VerifiedEvent, parseEvent } from './tracking-event.ts'
import { journalFiles } from './event-spool.ts'
import { createEventClassifier } from './classify-events.ts'
import { createTestEventClassifier } from './classify-test-events.ts'

export interface EventStoreOptions {
  /** Of the spool. */
  folder: string
  pool: Pool
  readToken: TokenReader
  logger: Logger
  /** True if responding needs the CPU: storing then takes an eighth of its time. */
  isBusy?: () => boolean
}

/** Milliseconds until events are stored, because later ones affect their classification. */
const HOLD = 1_000

/** Milliseconds between two checks for new events. */
const PAUSE = 250

/** Milliseconds of pause per millisecond of work while responding needs the CPU. */
const YIELD = 7

/** Bytes stored at once, some 5,000 events. */
const PIECE = 1024 * 1024

/** Milliseconds for the rest at shutdown; what is left is stored at the next start. */
const LAST_WORK = 15_000

/**
 * Stores the events of the spool in `folder`, oldest first and each once: events and file position are written in one
 * transaction. Stored files are deleted, including those of killed processes.
 * @returns a function that ends the work after storing everything in the closed spool
 */
export function startEventStore(options: EventStoreOptions): { finish(): Promise<void> } {
  const { folder, pool, readToken, logger, isBusy = () => false } = options
  const judge = createEventClassifier(pool)
  const judgeTests = createTestEventClassifier(pool)
  const ended = new AbortController()
  let most = Infinity
  let current: { name: string; file: FileHandle; position: number } | null = null
  const working = work()
  return {
    finish() {
      ended.abort()
      return working
    },
  }

  async function work(): Promise<void> {
    while (!ended.signal.aborted) {
      const began = performance.now()
      const found = await tryNext()
      const pause = isBusy() ? (performance.now() - began) * YIELD : 0
      await sleep(found ? pause : PAUSE, undefined, { signal: ended.signal }).catch(() => {})
    }
    const deadline = performance.now() + LAST_WORK
    while (performance.now() < deadline && (await tryNext()));
    await current?.file.close()
  }

  /**
   * Returns true if there was something to store. While the database is unavailable, it returns true after a pause.
   */
  async function tryNext(): Promise<boolean> {
    try {
      return await storeNext()
    } catch (error) {
      logger.error({ err: error }, 'Tracking events could not be stored; retrying')
      await sleep(1_000)
      return true
    }
  }

  async function storeNext(): Promise<boolean> {
    current ??= await openFirst()
    if (!current) return false
    if (await storePiece(current, ended.signal.aborted)) return true
    const isLast = (await journalFiles(folder)).at(-1) === current.name
    if (isLast && !ended.signal.aborted) return false
    // Complete, now that there is a later file; its recent events are stored first.
    if (await storePiece(current, true)) return true
    const done = current
    current = null
    await remove(done)
    return true
  }

  async function openFirst() {
    const [name] = await journalFiles(folder)
    if (name === undefined) return null
    const { rows } = await pool.query<{ position: number }>(
      'select position from hit_journal where file = $1',
      [name],
    )
    return { name, file: await open(join(folder, name)), position: rows[0]?.position ?? 0 }
  }

  /** @param isComplete no more events follow, so none is held back */
  async function storePiece(source: NonNullable<typeof current>, isComplete: boolean): Promise<boolean> {
    const buffer = Buffer.allocUnsafe(PIECE)
    const { bytesRead } = await source.file.read(buffer, 0, PIECE, source.position)
    const lines = buffer.toString('latin1', 0, bytesRead).split('\n')
    // The last line is incomplete.
    lines.pop()
    const until = bytesRead < PIECE && !isComplete ? Date.now() - HOLD : Infinity
    const hits: VerifiedEvent[] = []
    const later: VerifiedEvent[] = []
    let position = source.position
    for (const line of lines) {
      const hit = parseEvent(line, readToken)
      // A clock that was set back must not hold events for longer.
      const isYoung = hit && hit.at > until && hit.at < until + 5 * HOLD
      const isHeld = later.length > 0 || hits.length >= most || isYoung
      if (!isHeld) position += line.length + 1
      if (hit) (isHeld ? later : hits).push(hit)
    }
    if (position === source.position) return false
    try {
      const [events, testEvents] = await Promise.all([
        judge(hits.filter(isOfCampaign), later.filter(isOfCampaign)),
        judgeTests(hits.filter(isOfTest), later.filter(isOfTest)),
      ])
      await append(source.name, source.position, position, events, testEvents)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (hits.length <= 1) {
        logger.error({ err: error }, 'A tracking event that cannot be stored is skipped')
        await append(source.name, source.position, position, [], [])
      } else {
        // Bisects to find the rejected one.
        most = Math.ceil(hits.length / 2)
        return true
      }
    }
    most = Infinity
    source.position = position
    return true
  }

  async function append(
    file: string,
    from: number,
    to: number,
    events: readonly NewEvent[],
    testEvents: readonly TestMailEvent[],
  ): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rowCount } = await client.query(
        `insert into hit_journal (file, position) values ($1, $3)
         on conflict (file) do update set position = $3, updated_at = now() where hit_journal.position = $2`,
        [file, from, to],
      )
      if (rowCount !== 1) throw new Error(`Another process stores ${file}`)
      await copyEvents(client, events)
      await recordTestEvents(client, testEvents)
      await client.query('commit')
      client.release()
    } catch (error) {
      // Closing the connection rolls its transaction back.
      client.release(true)
      throw error
    }
  }

  /** The file first: a position without a file is harmless, a file without position would be stored again. */
  async function remove({ name, file }: NonNullable<typeof current>): Promise<void> {
    await file.close()
    await unlink(join(folder, name))
    await pool.query('delete from hit_journal where file = $1', [name])
  }
}

function isOfTest({ token }: VerifiedEvent): boolean {
  return token.kind === 'test_mail'
}

function isOfCampaign(hit: VerifiedEvent): boolean {
  return !isOfTest(hit)
}

/** A value that PostgreSQL rejects: the event's fault (SQLSTATE classes 22 and 23). */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}
