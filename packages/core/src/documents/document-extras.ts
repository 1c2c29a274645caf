import { createHash } from 'node:crypto'
import type { DocumentBody, StoredDocument } from '@emma/contract/actions/documents.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { assertPlain, assertSize } from './assert-plain.ts'
import { badDocumentRequest, DocumentError, missingDocument } from './document-error.ts'
import { type DocumentDatabase, of } from './read-documents.ts'

/** Most replication checkpoints, and most indexes, of a database. */
const mostExtras = 500

/** Reads a replication checkpoint. Throws `not_found`. */
export async function readLocal(db: Db, database: DocumentDatabase, id: string): Promise<StoredDocument> {
  const { rows } = await sql<{ revision: number; body: DocumentBody }>`
    select revision, body from document_local where ${of(database)} and id = ${id}`.execute(db)
  const row = rows[0]
  if (!row) throw missingDocument()
  return { ...row.body, _id: `_local/${id}`, _rev: `0-${row.revision}` }
}

/** Stores a replication checkpoint; its `_rev` must be the current one. Throws `conflict`. */
export async function writeLocal(db: Db, database: DocumentDatabase, id: string, document: DocumentBody) {
  const { _id: _, _rev: rev, _revisions: _history, ...body } = document
  assertPlain(body)
  assertSize(body)
  await assertRoom(db, database, 'document_local')
  const before = typeof rev === 'string' ? Number(rev.replace(/^0-/, '')) : 0
  const { rows } = await sql<{ revision: number }>`
    insert into document_local (client_id, endpoint, id, body)
    values (${database.clientId}, ${database.endpoint}, ${id}, ${JSON.stringify(body)}::jsonb)
    on conflict (client_id, endpoint, id) do update
    set body = excluded.body, revision = document_local.revision + 1, updated_at = now()
    where document_local.revision = ${before}
    returning revision`.execute(db)
  const stored = rows[0]
  if (!stored) throw new DocumentError(409, 'conflict', 'Document update conflict.')
  return { ok: true, id: `_local/${id}`, rev: `0-${stored.revision}` }
}

export async function removeLocal(db: Db, database: DocumentDatabase, id: string) {
  const { rows } = await sql`
    delete from document_local where ${of(database)} and id = ${id} returning id`.execute(db)
  if (rows.length === 0) throw missingDocument()
  return { ok: true, id: `_local/${id}`, rev: '0-0' }
}

interface Index {
  name: string
  ddoc: string
  fields: Record<string, 'asc' | 'desc'>[]
}

const allDocs = { ddoc: null, name: '_all_docs', type: 'special', def: { fields: [{ _id: 'asc' }] } }

export async function listIndexes(db: Db, database: DocumentDatabase) {
  const { rows } = await sql<Index>`
    select name, ddoc, fields from document_index where ${of(database)} order by name`.execute(db)
  const indexes = rows.map(({ name, ddoc, fields }) => ({ ddoc, name, type: 'json', def: { fields } }))
  return { total_rows: rows.length + 1, indexes: [allDocs, ...indexes] }
}

/** Stores an index definition; creating the same again is no error. */
export async function createIndex(
  db: Db,
  database: DocumentDatabase,
  wanted: {
    fields: readonly (string | Record<string, 'asc' | 'desc'>)[]
    name?: string | undefined
    ddoc?: string | undefined
  },
) {
  if (wanted.fields.length === 0) throw badDocumentRequest('An index needs fields')
  await assertRoom(db, database, 'document_index')
  const fields = wanted.fields.map(field => (typeof field === 'string' ? { [field]: 'asc' as const } : field))
  const hash = createHash('sha1').update(JSON.stringify(fields)).digest('hex')
  const name = wanted.name ?? hash
  const ddoc = `_design/${(wanted.ddoc ?? hash).replace(/^_design\//, '')}`
  const { rows } = await sql`
    insert into document_index (client_id, endpoint, name, ddoc, fields)
    values (${database.clientId}, ${database.endpoint}, ${name}, ${ddoc}, ${JSON.stringify(fields)}::jsonb)
    on conflict (client_id, endpoint, name) do nothing returning name`.execute(db)
  return { result: rows.length > 0 ? 'created' : 'exists', id: ddoc, name }
}

export async function removeIndex(db: Db, database: DocumentDatabase, ddoc: string, name: string) {
  const { rows } = await sql`
    delete from document_index
    where ${of(database)} and name = ${name} and ddoc = ${`_design/${ddoc.replace(/^_design\//, '')}`} returning name`.execute(
    db,
  )
  if (rows.length === 0) throw missingDocument()
  return { ok: true }
}

async function assertRoom(db: Db, database: DocumentDatabase, table: 'document_local' | 'document_index') {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${of(database)}`.execute(db)
  if ((rows[0]?.count ?? 0) > mostExtras)
    throw new DocumentError(413, 'too_large', `A database may hold ${mostExtras} of these`)
}
