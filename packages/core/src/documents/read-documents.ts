import type { DocumentEndpoint, StoredDocument } from '@emma/contract/actions/documents.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { missingDocument } from './document-error.ts'
import { type Leaf, revisionsOf } from './document-leaves.ts'

/** A document database: the documents of one endpoint and client. */
export interface DocumentDatabase {
  clientId: number
  endpoint: DocumentEndpoint
}

/** A document with all leaves of its revision tree, the winner first. */
export interface DocumentRow {
  id: string
  seq: number
  leaves: [Leaf, ...Leaf[]]
}

interface Row extends Leaf {
  id: string
  seq: number
  conflicts: Leaf[]
}

/** Response of `GET /{db}`. */
export async function readDatabase(db: Db, database: DocumentDatabase) {
  const found = await sql<{ doc_count: number; doc_del_count: number; update_seq: number; size: number }>`
    select count(*) filter (where not deleted) as doc_count, count(*) filter (where deleted) as doc_del_count,
      coalesce(max(seq), 0) as update_seq, coalesce(sum(pg_column_size(body)), 0) as size
    from document where ${of(database)}`.execute(db)
  const { doc_count, doc_del_count, update_seq, size } = found.rows[0] ?? {
    doc_count: 0,
    doc_del_count: 0,
    update_seq: 0,
    size: 0,
  }
  return {
    db_name: database.endpoint,
    doc_count,
    doc_del_count,
    update_seq,
    purge_seq: 0,
    compact_running: false,
    sizes: { active: size, external: size, file: size },
    instance_start_time: '0',
    disk_format_version: 8,
  }
}

/** Documents by id, including deleted ones. */
export async function readRows(
  db: Db,
  database: DocumentDatabase,
  ids: readonly string[],
): Promise<Map<string, DocumentRow>> {
  const { rows } = await sql<Row>`
    select ${rowColumns} from document where ${of(database)} and id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(row => [row.id, toDocumentRow(row)]))
}

export const rowColumns = sql`id, seq, rev, deleted, body, ancestry, conflicts`

export function toDocumentRow({ id, seq, conflicts, rev, deleted, body, ancestry }: Row): DocumentRow {
  return { id, seq, leaves: [{ rev, deleted, body, ancestry }, ...conflicts] }
}

export interface ReadDocument {
  /** Revision to read; omitted: the winner. */
  rev?: string | undefined
  /** Adds `_revisions`, or `_conflicts`. */
  revs?: boolean | undefined
  conflicts?: boolean | undefined
  /** Returns the leaf that follows `rev`. */
  latest?: boolean | undefined
}

/** Reads one document; bodies of superseded revisions are not stored. Throws `not_found`: `missing` or `deleted`. */
export async function readDocument(
  db: Db,
  database: DocumentDatabase,
  id: string,
  options: ReadDocument = {},
): Promise<StoredDocument> {
  const row = (await readRows(db, database, [id])).get(id)
  if (!row) throw missingDocument()
  const leaf = leafOf(row, options)
  if (!leaf) throw missingDocument()
  if (leaf.deleted && options.rev === undefined) throw missingDocument('deleted')
  return present(row, leaf, options)
}

export function leafOf(row: DocumentRow, { rev, latest }: ReadDocument): Leaf | undefined {
  if (rev === undefined) return row.leaves[0]
  return row.leaves.find(leaf => leaf.rev === rev || (latest === true && leaf.ancestry.includes(rev)))
}

/** Wire format of a leaf. */
export function present(
  row: DocumentRow,
  leaf: Leaf,
  { revs, conflicts }: ReadDocument = {},
): StoredDocument {
  const others = row.leaves.filter(other => other !== leaf && !other.deleted).map(other => other.rev)
  return {
    ...leaf.body,
    _id: row.id,
    _rev: leaf.rev,
    ...(leaf.deleted ? { _deleted: true } : {}),
    ...(revs ? { _revisions: revisionsOf(leaf.ancestry) } : {}),
    ...(conflicts && others.length > 0 ? { _conflicts: others } : {}),
  }
}

/** `POST _bulk_get`: documents by id and revision, each with its own result. */
export async function readManyDocuments(
  db: Db,
  database: DocumentDatabase,
  requested: readonly { id: string; rev?: string | undefined }[],
  options: { revs?: boolean; latest?: boolean },
) {
  const rows = await readRows(
    db,
    database,
    requested.map(({ id }) => id),
  )
  const results = requested.map(({ id, rev }) => {
    const row = rows.get(id)
    const leaf = row && leafOf(row, { rev, latest: options.latest })
    if (row && leaf) return { id, docs: [{ ok: present(row, leaf, { revs: options.revs }) }] }
    return { id, docs: [{ error: { id, rev: rev ?? 'undefined', error: 'not_found', reason: 'missing' } }] }
  })
  return { results }
}

/** `POST _revs_diff`: the revisions that the database does not have, by document id. */
export async function missingRevisions(
  db: Db,
  database: DocumentDatabase,
  offered: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, { missing: string[] }>> {
  const rows = await readRows(db, database, Object.keys(offered))
  const entries = Object.entries(offered).flatMap(([id, revs]) => {
    const known = new Set(rows.get(id)?.leaves.flatMap(leaf => leaf.ancestry))
    const missing = revs.filter(rev => !known.has(rev))
    return missing.length > 0 ? [[id, { missing }] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Condition for the rows of a database. */
export function of({ clientId, endpoint }: DocumentDatabase) {
  return sql<boolean>`client_id = ${clientId} and endpoint = ${endpoint}`
}
