import { createHash } from 'node:crypto'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { type LegalKind, PDF_BYTES } from '@emma/contract/legal-document.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { type LegalDocument, legalDocumentOperations, lockDraft } from './legal-document-operations.ts'

export interface Pdf {
  name: string
  content: Buffer
}

const all = { clientIds: 'all' } as const

/** The PDF of a document that the actor may read. @throws EmmaError `not_found` */
export async function readPdf(db: Db, actor: Actor, kind: LegalKind, id: number): Promise<Pdf> {
  const { pdf } = await legalDocumentOperations(kind).find(db, actor, all, id)
  const { rows } = await sql<Pick<Pdf, 'content'>>`
    select content from ${sql.table(`${kind}_pdf`)} where doc_id = ${id}::bigint`.execute(db)
  const [stored] = rows
  if (!pdf || !stored) throw new EmmaError('not_found')
  return { name: pdf.name, content: stored.content }
}

/** Stores the PDF of a draft in place of an earlier one. @throws EmmaError `invalid` if it is none, `wrong_state` */
export function storePdf(
  db: Db,
  actor: Actor,
  kind: LegalKind,
  id: number,
  { name, content }: Pdf,
): Promise<LegalDocument> {
  assertPdf(content)
  return replacePdf(db, actor, kind, id, { name, content })
}

/** @throws EmmaError `wrong_state` if the document is published */
export function removePdf(db: Db, actor: Actor, kind: LegalKind, id: number): Promise<LegalDocument> {
  return replacePdf(db, actor, kind, id, null)
}

function assertPdf(content: Buffer): void {
  if (content.length > PDF_BYTES)
    throw new EmmaError('too_large', fieldError('file', 'file.size', { max: PDF_BYTES / 1_000_000 }))
  if (content.subarray(0, 5).toString('latin1') !== '%PDF-')
    throw invalid([fieldError('file', 'file.type', { types: 'PDF' })])
}

/** The revision stays: a form that is open meanwhile does not contain the file. */
function replacePdf(
  db: Db,
  actor: Actor,
  kind: LegalKind,
  id: number,
  pdf: Pdf | null,
): Promise<LegalDocument> {
  return transaction(db, async tx => {
    await lockDraft(tx, kind, id)
    const operations = legalDocumentOperations(kind)
    const before = await operations.find(tx, actor, all, id)
    await sql`delete from ${sql.table(`${kind}_pdf`)} where doc_id = ${id}::bigint`.execute(tx)
    if (pdf)
      await sql`
        insert into ${sql.table(`${kind}_pdf`)} (doc_id, content, sha256)
        values (${id}, ${pdf.content}, ${createHash('sha256').update(pdf.content).digest('hex')})`.execute(tx)
    await sql`
      update ${sql.table(kind)} set pdf_name = ${pdf?.name ?? null}, pdf_size = ${pdf?.content.length ?? null},
        updated_at = now(), updated_by = ${actor.userId}
      where id = ${id}::bigint`.execute(tx)
    const after = await operations.find(tx, actor, all, id)
    await logChange(tx, actor, {
      clientId: installation,
      object: kind,
      id,
      action: 'update',
      changes: { pdf: [before.pdf?.name ?? null, after.pdf?.name ?? null] },
    })
    return after
  })
}
