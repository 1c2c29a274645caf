import { randomUUID } from 'node:crypto'
import type { DocumentBody, WrittenDocument } from '@emma/contract/actions/documents.ts'
import type { Method } from '@emma/contract/permissions.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { difference, logChange } from '../resource/log-change.ts'
import { assertPlain, assertSize } from './assert-plain.ts'
import { badDocumentRequest, DocumentError } from './document-error.ts'
import { ancestryOf, followUp, graft, type Leaf, winnerOf } from './document-leaves.ts'
import { type DocumentDatabase, of, readRows } from './read-documents.ts'

/** A document as the client sends it. */
export interface IncomingDocument {
  _id?: string | undefined
  _rev?: string | undefined
  _deleted?: boolean | undefined
  _revisions?: { start: number; ids: string[] } | undefined
  [field: string]: unknown
}

export interface WriteRules {
  /** Whether the user may use this method. A missing permission gives `forbidden` for that document only. */
  may: (method: Method) => boolean
  /** False for replication: revisions are assigned elsewhere and stored unchanged. */
  isNewEdit?: boolean
}

/** Most documents of a database, including deleted ones, which replication needs. */
const mostDocuments = 50_000

/**
 * Writes documents in one transaction. Each has its own result, in the given order: `{ok, id, rev}`, or `{id, error,
 * reason}` with `conflict` when `_rev` is not a current revision. Replicated documents (`isNewEdit: false`) get a
 * result only if they failed, as in CouchDB.
 *
 * @throws DocumentError `bad_request`, `doc_validation`, `document_too_large`, `unsupported_media_type` for invalid
 * documents, `too_large` when the database is full
 */
export function writeDocuments(
  db: Db,
  actor: Actor,
  database: DocumentDatabase,
  incoming: readonly IncomingDocument[],
  rules: WriteRules,
): Promise<WrittenDocument[]> {
  const documents = incoming.map(document => readIncoming(database, document))
  return transaction(db, async tx => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`documents ${database.clientId} ${database.endpoint}`}, 0))`.execute(
      tx,
    )
    const rows = await readRows(
      tx,
      database,
      documents.map(({ id }) => id),
    )
    const leaves = new Map([...rows].map(([id, row]) => [id, row.leaves as readonly Leaf[]]))
    const changed = new Set<string>()
    const results = documents.map(document => {
      const before = leaves.get(document.id) ?? []
      const after =
        rules.isNewEdit === false ? replicate(before, document, rules) : edit(before, document, rules)
      if ('error' in after) return { id: document.id, ...after }
      if (after.leaves !== before) {
        leaves.set(document.id, after.leaves)
        changed.add(document.id)
      }
      return { ok: true as const, id: document.id, rev: after.rev }
    })
    if ([...changed].some(id => !rows.has(id))) await assertRoom(tx, database, changed.size)
    await save(
      tx,
      actor,
      database,
      [...changed].map(id => [id, leaves.get(id) ?? []] as const),
    )
    for (const id of changed) await logDocument(tx, actor, database, id, rows.get(id)?.leaves, leaves.get(id))
    return rules.isNewEdit === false ? results.filter(result => 'error' in result) : results
  })
}

/** Writes one audit log entry. Document ids are strings, so the entry names the document among its changes. */
async function logDocument(
  tx: Db,
  actor: Actor,
  { clientId, endpoint }: DocumentDatabase,
  id: string,
  leavesBefore: readonly Leaf[] = [],
  leavesAfter: readonly Leaf[] = [],
): Promise<void> {
  const [before, after] = [leavesBefore, leavesAfter].map(leaves => {
    const winner = winnerOf(leaves)
    return winner && !winner.deleted ? { _id: id, _rev: winner.rev, ...winner.body } : {}
  })
  const [was, is] = [before ?? {}, after ?? {}]
  const changes = difference(was, is, Object.keys({ ...was, ...is }))
  const action = '_id' in was ? ('_id' in is ? 'update' : 'delete') : 'create'
  await logChange(tx, actor, {
    clientId,
    object: endpoint,
    id: 0,
    action,
    changes: { ...changes, _id: ['_id' in was ? id : null, '_id' in is ? id : null] },
  })
}

interface ReadIncoming {
  id: string
  rev: string | undefined
  deleted: boolean
  body: DocumentBody
  ancestry: string[]
}

type Outcome = { leaves: readonly Leaf[]; rev: string } | { error: string; reason: string }

const conflict = { error: 'conflict', reason: 'Document update conflict.' }
const forbidden = { error: 'forbidden', reason: 'Your role lacks the right for this document.' }

/** Applies a user's change: a new document, or the successor of the revision it names. */
function edit(leaves: readonly Leaf[], { rev, deleted, body }: ReadIncoming, { may }: WriteRules): Outcome {
  const winner = winnerOf(leaves)
  const isNew = winner === null || (winner.deleted && rev === undefined)
  const parent = isNew ? winner : leaves.find(leaf => leaf.rev === rev)
  if (parent === undefined || (winner === null && rev !== undefined)) return conflict
  if (!may(methodOf(isNew, deleted))) return forbidden
  const successor = followUp(parent, deleted, body)
  return { leaves: [...leaves.filter(leaf => leaf !== parent), successor], rev: successor.rev }
}

/** Stores a replicated revision with its history. */
function replicate(leaves: readonly Leaf[], document: ReadIncoming, { may }: WriteRules): Outcome {
  const { rev, deleted, body, ancestry } = document
  if (rev === undefined || ancestry.length === 0)
    return { error: 'bad_request', reason: 'A revision is missing' }
  if (!may(methodOf(leaves.length === 0, deleted))) return forbidden
  return { leaves: graft(leaves, { rev, deleted, body, ancestry }), rev }
}

function methodOf(isNew: boolean, isDeleted: boolean): Method {
  if (isDeleted) return 'delete'
  return isNew ? 'post' : 'patch'
}

function readIncoming(database: DocumentDatabase, document: IncomingDocument): ReadIncoming {
  const { _id: id = randomUUID().replaceAll('-', ''), _rev: rev, _deleted: deleted = false } = document
  const { _revisions: revisions, _attachments: attachments, ...rest } = document
  if (id.startsWith('_')) throw badDocumentRequest('Only reserved document ids may start with underscore.')
  if (attachments !== undefined && Object.keys(Object(attachments)).length > 0)
    throw new DocumentError(415, 'unsupported_media_type', 'Attachments are not supported')
  const special = Object.keys(rest).find(key => key.startsWith('_') && !specialMembers.has(key))
  if (special !== undefined)
    throw new DocumentError(400, 'doc_validation', `Bad special document member: ${special}`)
  const fields = Object.fromEntries(Object.entries(rest).filter(([key]) => !specialMembers.has(key)))
  const body = deleted ? fields : { ...fields, endpoint: database.endpoint }
  assertPlain(body)
  assertSize(body)
  const ancestry = revisions ? ancestryOf(revisions) : rev === undefined ? [] : [rev]
  if (rev !== undefined && ancestry[0] !== rev)
    throw badDocumentRequest('_revisions does not begin with _rev')
  return { id, rev, deleted, body, ancestry }
}

const specialMembers = new Set(['_id', '_rev', '_deleted', '_conflicts', '_local_seq', '_revs_info'])

async function assertRoom(db: Db, database: DocumentDatabase, more: number): Promise<void> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from document where ${of(database)}`.execute(db)
  if ((rows[0]?.count ?? 0) + more > mostDocuments)
    throw new DocumentError(413, 'too_large', `A database may hold ${mostDocuments} documents`)
}

async function save(
  db: Db,
  actor: Actor,
  { clientId, endpoint }: DocumentDatabase,
  changed: readonly (readonly [string, readonly Leaf[]])[],
): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.flatMap(([id, leaves]) => {
    const winner = winnerOf(leaves)
    return winner ? [{ id, ...winner, conflicts: leaves.filter(leaf => leaf !== winner) }] : []
  })
  await sql`
    insert into document (client_id, endpoint, id, rev, deleted, body, ancestry, conflicts, updated_by)
    select ${clientId}::bigint, ${endpoint}, id, rev, deleted, body,
      array(select jsonb_array_elements_text(ancestry)), conflicts, ${actor.userId}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as made (id text, rev text, deleted boolean, body jsonb, ancestry jsonb, conflicts jsonb)
    on conflict (client_id, endpoint, id) do update
    set rev = excluded.rev, deleted = excluded.deleted, body = excluded.body, ancestry = excluded.ancestry,
      conflicts = excluded.conflicts, seq = nextval('document_seq'), updated_at = now(),
      updated_by = excluded.updated_by`.execute(db)
}
