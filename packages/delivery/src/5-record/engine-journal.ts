import type { Pool, Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { ClaimedRow } from '../model/outcome.ts'
import type { LedgerRecord } from './record-outcomes.ts'

/**
 * What an engine writes down before it acts, so that whoever finds it dead knows of every claimed row whether it may have
 * left: rows that begin, and outcomes that are not in the ledger yet.
 */
export interface JournalEntry {
  /** Counted by the engine. */
  entry: number
  begun: readonly ClaimedRow[]
  settled: readonly LedgerRecord[]
}

/** The engine was taken for dead, and its rows are somebody else's. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'

/**
 * Appends an entry and drops earlier ones, whose outcomes the ledger has by now: what of them still lasts must be in the
 * entry again.
 *
 * @param folded the entries to drop; naming the first spares a walk over all that were dropped before
 * @throws LeaseLost when nothing may begin under this lease any more
 */
export async function writeEntry(
  pool: Pool,
  lease: string,
  { entry, begun, settled }: JournalEntry,
  folded: { after: number; through: number },
): Promise<void> {
  const values = [lease, entry, JSON.stringify(begun.map(keyOfRow)), JSON.stringify(settled)]
  try {
    // Prepared: it is run for every few mails, and planning it would cost more than doing it.
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
    // The connection broke when it was written already, and this is the second try.
    if (code !== UNIQUE_VIOLATION) throw error
  }
}

const DROP = `
  with folded as (delete from engine_journal where lease = $1 and entry > $5::bigint and entry <= $6::bigint)`
const APPEND = `
  insert into engine_journal (lease, entry, begun, settled) values ($1, $2, $3, $4)`

/** Names one attempt at one row. */
export type RowKey = [campaignId: number, memberId: number, attempt: number]

function keyOfRow({ campaignId, memberId, attempts }: ClaimedRow): RowKey {
  return [campaignId, memberId, attempts]
}

/** What the journal of a dead engine says. */
export interface JournalState {
  /** Attempts that may have left; nobody can say. */
  unknown: RowKey[]
  /** Outcomes the ledger may not have. */
  settled: LedgerRecord[]
}

/** Reads what an engine left behind. */
export async function readJournal(db: Db, lease: string): Promise<JournalState> {
  const { rows } = await sql<{ begun: RowKey[]; settled: LedgerRecord[] }>`
    select begun::json as begun, settled::json as settled from engine_journal
    where lease = ${lease}::uuid order by entry`.execute(db)
  const begun = new Map<string, RowKey>()
  const settled = new Map<string, LedgerRecord>()
  // In their order: a mail that came back untried begins the same attempt once more.
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
