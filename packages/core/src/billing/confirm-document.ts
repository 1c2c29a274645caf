import { createHash } from 'node:crypto'
import type { ClientConfirmation, Confirmation, confirmAgb } from '@emma/contract/actions/legal-documents.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Page } from '../resource/operations.ts'
import { type LegalDocument, readLatestDocument } from './legal-document-operations.ts'

interface PageQuery {
  limit: number
  offset: number
}

const columns = sql`f.id, f.doc_id, d.version, f.sha256, f.user_id, f.name, f.role, f.confirmed_at`

/**
 * Confirms the newest document for a client, with a hash of exactly its content. If it is confirmed already, nothing
 * changes. Users of the demo confirm each for themselves.
 *
 * @throws EmmaError `forbidden` for users who are no administrators, `conflict` if there is a newer document
 */
export function confirmDocument(
  db: Db,
  actor: Actor,
  kind: LegalKind,
  clientId: number,
  { doc_id: requested, name, role }: z.output<typeof confirmAgb.body>,
): Promise<Confirmation> {
  if (!mayConfirm(actor, clientId)) throw new EmmaError('forbidden', fault('refusal.document_confirmer'))
  return transaction(db, async tx => {
    // The documents of the demo are in the browser, with keys of their own.
    const isDemo = clientId === demoClientId
    const earlier = isDemo ? null : await findConfirmation(tx, actor, kind, clientId, requested)
    if (earlier) return earlier
    const document = await readLatestDocument(tx, kind)
    if (document.id !== requested && !isDemo) await refuseOther(tx, kind, requested, document)
    const sha256 = await hashDocument(tx, kind, document)
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(`${kind}_confirm`)} (client_id, doc_id, sha256, user_id, name, role, ip)
      values (${clientId}, ${document.id}, ${sha256}, ${actor.userId}, ${name}, ${role}, ${actor.trail?.ip ?? null})
      on conflict do nothing returning id`.execute(tx)
    const [added] = rows
    if (added)
      await logChange(tx, actor, {
        clientId,
        object: `${kind}_confirm`,
        id: added.id,
        action: 'create',
        changes: {
          version: [null, document.version],
          sha256: [null, sha256],
          name: [null, name],
          role: [null, role],
        },
      })
    const confirmation = await findConfirmation(tx, actor, kind, clientId, document.id)
    if (!confirmation) throw new EmmaError('not_found')
    return confirmation
  })
}

/** Confirmations of a client, the last first. */
export async function listConfirmations(
  db: Db,
  kind: LegalKind,
  clientId: number,
  { limit, offset }: PageQuery,
): Promise<Page<Confirmation>> {
  const { rows } = await sql<Confirmation>`
    select ${columns} from ${sql.table(`${kind}_confirm`)} f join ${sql.table(kind)} d on d.id = f.doc_id
    where f.client_id = ${clientId}
    order by f.confirmed_at desc, f.id desc limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(`${kind}_confirm`)} where client_id = ${clientId}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

/** Clients that have confirmed a document, the last first. For superadmins. */
export async function listConfirmingClients(
  db: Db,
  kind: LegalKind,
  docId: number,
  { limit, offset }: PageQuery,
): Promise<Page<ClientConfirmation>> {
  const { rows } = await sql<ClientConfirmation>`
    select ${columns}, f.client_id, c.name as client_name
    from ${sql.table(`${kind}_confirm`)} f join ${sql.table(kind)} d on d.id = f.doc_id
      join client c on c.client_id = f.client_id
    where f.doc_id = ${docId}
    order by f.confirmed_at desc, f.client_id, f.id desc limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(`${kind}_confirm`)} where doc_id = ${docId}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}

function mayConfirm({ administrator, superadmin }: Actor, clientId: number): boolean {
  return administrator || superadmin || clientId === demoClientId
}

async function findConfirmation(
  db: Db,
  { userId }: Actor,
  kind: LegalKind,
  clientId: number,
  docId: number,
): Promise<Confirmation | null> {
  const { rows } = await sql<Confirmation>`
    select ${columns} from ${sql.table(`${kind}_confirm`)} f join ${sql.table(kind)} d on d.id = f.doc_id
    where f.client_id = ${clientId} and f.doc_id = ${docId}
      and (f.client_id <> ${demoClientId} or f.user_id = ${userId}::bigint)`.execute(db)
  return rows[0] ?? null
}

/** @throws EmmaError `not_found` for a draft or no document, otherwise `conflict` */
async function refuseOther(
  db: Db,
  kind: LegalKind,
  requested: number,
  { version }: LegalDocument,
): Promise<never> {
  const { rows } = await sql`
    select from ${sql.table(kind)} where id = ${requested}::bigint and published`.execute(db)
  if (rows.length === 0) throw new EmmaError('not_found')
  throw new EmmaError('conflict', fault('refusal.document_newer', { version }))
}

/**
 * SHA-256 of what is confirmed, in hexadecimal: of the JSON array of kind, version, first day, the titles and texts in
 * English, German and Spanish, and the SHA-256 of the PDF or null. Anybody can compute it again.
 */
async function hashDocument(db: Db, kind: LegalKind, document: LegalDocument): Promise<string> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from ${sql.table(`${kind}_pdf`)} where doc_id = ${document.id}::bigint`.execute(db)
  const { version, valid_from, title_en, title_de, title_es, html_en, html_de, html_es } = document
  const texts = [title_en, html_en, title_de, html_de, title_es, html_es]
  const content = [kind, version, valid_from, ...texts, rows[0]?.sha256 ?? null]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
