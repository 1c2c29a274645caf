import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, Db } from '@emma/db/connection.ts'
import { type JournalEntry, LeaseLost, writeEntry } from '../5-record/engine-journal.ts'
import { type LedgerRecord, recordOutcomes, type Settled, toRecord } from '../5-record/record-outcomes.ts'
import type { ClaimedRow } from '../model/outcome.ts'

/**
 * Writes down what an engine does with the rows it has claimed. Rows that begin and their outcomes go into the journal at
 * once, many in one small insert; from there outcomes go over into the ledger in large sets.
 */
export interface Recorder {
  /** Resolves when it is written down that the row may leave; false when it must not, since the lease is lost. */
  begin(row: ClaimedRow): Promise<boolean>
  /** The outcome of a row; resolves when a crash cannot lose it any more. */
  settle(settled: Settled): Promise<void>
  /** Resolves when the ledger has everything. */
  drained(): Promise<void>
}

/** Rows of one statement on the ledger at most, and how long outcomes wait to become that many. */
const FOLD = 1_000
const FOLD_AFTER = 150

/** Milliseconds after an entry in which the next one gathers: an entry costs both sides as much as half a mail. */
const ENTRY_PAUSE = 3

interface Beginning {
  row: ClaimedRow
  resolve: (mayLeave: boolean) => void
}

interface Ending {
  row: ClaimedRow
  record: LedgerRecord
  resolve: () => void
}

export function createRecorder(
  { db, pool }: { db: Db; pool: Pool },
  lease: string,
  logger: { error(fields: object, text: string): void },
): Recorder {
  let beginnings: Beginning[] = []
  let endings: Ending[] = []
  /** Rows that have begun and not ended, with the entry that says so. */
  const open = new Map<ClaimedRow, number>()
  /** Outcomes for the ledger. */
  let unfolded: LedgerRecord[] = []
  let entry = 0
  /** Entries up to here have nothing the ledger lacks, and those up to the second are gone. */
  let foldedThrough = 0
  let droppedThrough = 0
  let isLost = false
  let writing: Promise<void> | null = null
  let folding: Promise<void> | null = null
  let foldNow: AbortController | null = null

  return {
    begin(row) {
      if (isLost) return Promise.resolve(false)
      return new Promise(resolve => {
        beginnings.push({ row, resolve })
        writing ??= write()
      })
    },
    settle(settled) {
      const record = toRecord(settled)
      // What never began is not on the wire: after a crash it is simply claimed again.
      if (!open.has(settled.row)) {
        fold([record])
        return Promise.resolve()
      }
      return new Promise(resolve => {
        endings.push({ row: settled.row, record, resolve })
        writing ??= write()
      })
    },
    async drained() {
      for (let work = atWork(); work; work = atWork()) {
        foldNow?.abort()
        await work
      }
    },
  }

  function atWork(): Promise<void> | null {
    return writing ?? folding
  }

  /** One entry at a time, the first at once: while it is written, and a little longer, the next gathers. */
  async function write(): Promise<void> {
    // What arrives in the same turn shares the entry.
    await new Promise(resolve => setImmediate(resolve))
    while (beginnings.length > 0 || endings.length > 0) {
      const begin = beginnings
      const end = endings
      beginnings = []
      endings = []
      await append(begin, end)
      await sleep(ENTRY_PAUSE)
    }
    // Here and not in a handler of the promise: what comes in between would wait for ever.
    writing = null
  }

  async function append(begin: readonly Beginning[], end: readonly Ending[]): Promise<void> {
    entry++
    const records = end.map(ending => ending.record)
    const through = foldedThrough
    for (const { row } of end) open.delete(row)
    // Entries that are dropped may hold rows that are still on their way: those are said again.
    const again = through > droppedThrough ? [...open].filter(([, since]) => since <= through) : []
    const begun = [...again.map(([row]) => row), ...begin.map(({ row }) => row)]
    const isWritten = await insert({ entry, begun, settled: records }, { after: droppedThrough, through })
    for (const [row] of again) open.set(row, entry)
    droppedThrough = through
    if (isWritten) for (const { row } of begin) open.set(row, entry)
    for (const { resolve } of begin) resolve(isWritten)
    fold(records)
    for (const { resolve } of end) resolve()
  }

  /** What cannot be written (the database is away) is tried again: nothing begins before. */
  async function insert(what: JournalEntry, folded: { after: number; through: number }): Promise<boolean> {
    for (let failures = 0; !isLost; failures++) {
      try {
        await writeEntry(pool, lease, what, folded)
        return true
      } catch (error) {
        if (error instanceof LeaseLost) isLost = true
        else await complain(error, failures)
      }
    }
    return false
  }

  function fold(records: readonly LedgerRecord[]): void {
    unfolded.push(...records)
    if (unfolded.length >= FOLD) foldNow?.abort()
    if (unfolded.length > 0) folding ??= foldAll()
  }

  async function foldAll(): Promise<void> {
    while (unfolded.length > 0) {
      if (unfolded.length < FOLD) {
        foldNow = new AbortController()
        await sleep(FOLD_AFTER, undefined, { signal: foldNow.signal }).catch(() => {})
        foldNow = null
      }
      // Between writing an entry and handing its outcomes over nothing else happens: the ledger will have them all.
      const through = writing ? entry - 1 : entry
      const batch = unfolded
      unfolded = []
      for (let start = 0; start < batch.length; start += FOLD) await keep(batch.slice(start, start + FOLD))
      foldedThrough = through
    }
    folding = null
  }

  async function keep(batch: readonly LedgerRecord[]): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await recordOutcomes(db, lease, batch)
        return
      } catch (error) {
        await complain(error, failures)
      }
    }
  }

  async function complain(error: unknown, failures: number): Promise<void> {
    if (failures === 0) logger.error({ err: error }, 'Outcomes could not be written down; retrying')
    await sleep(Math.min(5_000, 100 * 2 ** failures))
  }
}
