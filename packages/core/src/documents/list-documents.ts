import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import {
  type DocumentDatabase,
  type DocumentRow,
  of,
  present,
  readRows,
  rowColumns,
  toDocumentRow,
} from './read-documents.ts'

export interface ListDocuments {
  keys?: readonly string[] | undefined
  startkey?: string | undefined
  endkey?: string | undefined
  inclusive_end?: boolean | undefined
  descending?: boolean | undefined
  include_docs?: boolean | undefined
  conflicts?: boolean | undefined
  limit?: number | undefined
  skip?: number | undefined
}

type Stored = Parameters<typeof toDocumentRow>[0]

/** Most rows of a response. */
const mostRows = 10_000

/** `_all_docs`: existing documents in the order of their ids, or those of `keys`, including missing and deleted ones. */
export async function listDocuments(db: Db, database: DocumentDatabase, options: ListDocuments) {
  const { keys, skip = 0, limit = mostRows, descending = false } = options
  const totals = await sql<{ total: number; seq: number }>`
    select count(*) filter (where not deleted) as total, coalesce(max(seq), 0) as seq from document
    where ${of(database)}`.execute(db)
  const head = { total_rows: totals.rows[0]?.total ?? 0, update_seq: totals.rows[0]?.seq ?? 0 }
  if (keys) {
    const page = (descending ? keys.toReversed() : keys).slice(skip, skip + limit)
    const rows = await readRows(db, database, page)
    return { ...head, offset: null, rows: page.map(key => allDocsRow(key, rows.get(key), options)) }
  }
  const [low, high] = descending ? [options.endkey, options.startkey] : [options.startkey, options.endkey]
  const isOpen = options.inclusive_end === false
  const bounds: RawBuilder<unknown>[] = [of(database), sql`not deleted`]
  if (low !== undefined) bounds.push(sql`id collate "C" ${sql.raw(isOpen && descending ? '>' : '>=')} ${low}`)
  if (high !== undefined)
    bounds.push(sql`id collate "C" ${sql.raw(isOpen && !descending ? '<' : '<=')} ${high}`)
  const { rows } = await sql<Stored>`
    select ${rowColumns} from document where ${sql.join(bounds, sql` and `)}
    order by id collate "C" ${sql.raw(descending ? 'desc' : 'asc')}
    limit ${Math.min(limit, mostRows)} offset ${skip}`.execute(db)
  return {
    ...head,
    offset: skip,
    rows: rows.map(toDocumentRow).map(row => allDocsRow(row.id, row, options)),
  }
}

function allDocsRow(key: string, row: DocumentRow | undefined, { include_docs, conflicts }: ListDocuments) {
  if (!row) return { key, error: 'not_found' }
  const [winner] = row.leaves
  const value = { rev: winner.rev, ...(winner.deleted ? { deleted: true } : {}) }
  if (!include_docs) return { id: row.id, key, value }
  return { id: row.id, key, value, doc: winner.deleted ? null : present(row, winner, { conflicts }) }
}

export interface ListChanges {
  /** Returns changes after this sequence number; 'now': none of the past. */
  since: number | 'now'
  limit?: number | undefined
  descending?: boolean | undefined
  include_docs?: boolean | undefined
  conflicts?: boolean | undefined
  /** Returns all leaves, as replication needs, instead of the winner only. */
  allLeaves?: boolean | undefined
  ids?: readonly string[] | undefined
}

/** `_changes`: each document once, at its latest change. */
export async function listChanges(db: Db, database: DocumentDatabase, options: ListChanges) {
  const { limit = mostRows, descending = false, ids, include_docs, conflicts, allLeaves } = options
  const latest = await sql<{ seq: number }>`
    select coalesce(max(seq), 0) as seq from document where ${of(database)}`.execute(db)
  const last = latest.rows[0]?.seq ?? 0
  const since = options.since === 'now' ? last : options.since
  const bounds: RawBuilder<unknown>[] = [of(database), sql`seq > ${since}`]
  if (ids) bounds.push(sql`id = any(${ids}::text[])`)
  const most = Math.max(1, Math.min(limit, mostRows))
  const { rows } = await sql<Stored>`
    select ${rowColumns} from document where ${sql.join(bounds, sql` and `)}
    order by seq ${sql.raw(descending ? 'desc' : 'asc')} limit ${most + 1}`.execute(db)
  const shown = rows.slice(0, most).map(toDocumentRow)
  const isWhole = rows.length <= most
  return {
    results: shown.map(row => {
      const [winner, ...others] = row.leaves
      const leaves = allLeaves ? [winner, ...others] : [winner]
      return {
        seq: row.seq,
        id: row.id,
        changes: leaves.map(({ rev }) => ({ rev })),
        ...(winner.deleted ? { deleted: true } : {}),
        ...(include_docs ? { doc: present(row, winner, { conflicts }) } : {}),
      }
    }),
    last_seq: isWhole && !descending ? Math.max(since, last) : (shown.at(-1)?.seq ?? since),
    pending: isWhole ? 0 : 1,
  }
}
