import type { Pool, Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { ClaimedRow } from '../model/outcome.ts'
import type { LedgerRecord } from './record-outcomes.ts'

/**
 * Journal of an engine, written before it acts, so that for every claimed row of a dead engine it is known whether it
 * may have been sent: rows that begin, and outcomes not yet in the ledger.
 */
export interface JournalEntry {
  /** Numbered by the engine. */
  entry: number
  begun: readonly ClaimedRow[]
  settled: readonly LedgerRecord[]
}

/** Thrown if the engine was declared dead, and its rows belong to another. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'

/**
 * Appends an entry and deletes earlier ones whose outcomes are in the ledger: the new entry must repeat what of them
 * still applies.
 * @param folded entries to delete; naming the first avoids a scan over those deleted before
 * @throws LeaseLost if nothing may begin under this lease any more
 */
export async function writeEntry(
  pool: Pool,
  lease: string,
  { entry, begun, settled }: JournalEntry,
  folded: { after: number; through: number },
): Promise<void> {
  const values = [lease, entry, JSON.stringify(begun.map(keyOfRow)), JSON.stringify(settled)]
  try {
    // Prepared: it runs for every few messages, and planning would cost more than executing.
    const { after, through } = folded
    const drop = after < through
    await pool.query(
      drop
        ? { name: 'engine journal, dropping', text: DROP + APPEND, values: [...values, after, through] }
        : { name: 'engine journal', text: APPEND, values },
    )
  } catch (error) {
    const code = codeOf(error)
    if (code === FOREIGN_KEY_VIOLATION) throw new LeaseLost(`The lease ${lease} is gone.`)
    // The connection was lost after the write, and this is the retry.
    if (code !== UNIQUE_VIOLATION) throw error
  }
}

const DROP = `
  with folded as (delete from engine_journal where lease = $1 and entry > $5::bigint and entry <= $6::bigint)`
const APPEND = `
  insert into engine_journal (lease, entry, begun, settled) values ($1, $2, $3, $4)`

/** Identifies one attempt of one row. */
export type RowKey = [campaignId: number, memberId: number, attempt: number]

function keyOfRow({ campaignId, memberId, attempts }: ClaimedRow): RowKey {
  return [campaignId, memberId, attempts]
}

/** Journal of a dead engine. */
export interface JournalState {
  /** Attempts that may have been sent. */
  unknown: RowKey[]
  /** Outcomes that may be missing from the ledger. */
  settled: LedgerRecord[]
}

/** Reads the journal of a lease. */
export async function readJournal(db: Db, lease: string): Promise<JournalState> {
  const { rows } = await sql<{ begun: RowKey[]; settled: LedgerRecord[] }>`
    select begun::json as begun, settled::json as settled from engine_journal
    where lease = ${lease}::uuid order by entry`.execute(db)
  const begun = new Map<string, RowKey>()
  const settled = new Map<string, LedgerRecord>()
  // In order: a message that was returned begins the same attempt again.
  for (const row of rows) {
    for (const record of row.settled) {
      const name = `${record.campaignId}/${record.memberId}/${record.attempt}`
      begun.delete(name)
      settled.set(name, record)
    }
    for (const key of row.begun) {
      settled.delete(key.join('/'))
      begun.set(key.join('/'), key)
    }
  }
  return { unknown: [...begun.values()], settled: [...settled.values()] }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
