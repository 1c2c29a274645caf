import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import type { agb } from '@emma/contract/resources/agb.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

export type LegalDocument = Row<typeof agb>

/**
 * CRUD operations of the documents of a kind. Published ones are read by everybody and never change again; drafts are
 * read by superadmins, who write them (contract).
 */
export function legalDocumentOperations(kind: LegalKind): Operations<typeof agb> {
  const standard = resourceOperations(legalDocuments[kind].resource, {
    table: kind,
    computed: ['pdf'],
    hidden: ['pdf_name', 'pdf_size'],
    toRecord: ({ pdf_name: name, pdf_size: size }) => ({
      pdf: name === null || size === null ? null : { name, size },
    }),
    special: { open: () => sql`r.published` },
  })
  return {
    ...standard,
    list(db, actor, scope, query) {
      if (actor.superadmin) return standard.list(db, actor, scope, query)
      return standard.list(db, actor, scope, { ...query, filters: { ...query.filters, open: [true] } })
    },
    async find(db, actor, scope, id) {
      const document = await standard.find(db, actor, scope, id)
      if (!mayRead(actor, document)) throw new EmmaError('not_found')
      return document
    },
    create: (db, actor, clientId, input) => standard.create(db, actor, clientId, input, publication(input)),
    patch: (db, actor, scope, id, input, options) =>
      transaction(db, async tx => {
        await lockDraft(tx, kind, id)
        return standard.patch(tx, actor, scope, id, input, options, publication(input))
      }),
    remove: (db, actor, scope, id, options) =>
      transaction(db, async tx => {
        await lockDraft(tx, kind, id)
        await standard.remove(tx, actor, scope, id, options)
      }),
    async removal(db, actor, scope, id) {
      const { published } = await standard.find(db, actor, scope, id)
      return { deletable: !published, references: [] }
    },
  }
}

function publication({ published }: Patch<typeof agb>) {
  return published === true ? { published_at: sql`now()` } : {}
}

function mayRead({ superadmin }: Actor, { published }: Pick<LegalDocument, 'published'>): boolean {
  return published || superadmin
}

/** Locks a document that may still be changed. @throws EmmaError `not_found`, `wrong_state` if it is published */
export async function lockDraft(tx: Db, kind: LegalKind, id: number): Promise<void> {
  const { rows } = await sql<{ published: boolean }>`
    select published from ${sql.table(kind)} where id = ${id}::bigint and deleted_at is null for update`.execute(
    tx,
  )
  const [document] = rows
  if (!document) throw new EmmaError('not_found')
  if (document.published) throw new EmmaError('wrong_state', fault('refusal.document_published'))
}

/** The document that clients confirm now: the newest of those published and in force. Throws `not_found`. */
export async function readLatestDocument(db: Db, kind: LegalKind): Promise<LegalDocument> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(kind)} where ${isInForce}
    order by valid_from desc, id desc limit 1`.execute(db)
  const [latest] = rows
  if (!latest) throw new EmmaError('not_found')
  return legalDocumentOperations(kind).find(db, reader, { clientIds: 'all' }, latest.id)
}

/** Condition: the document is published, and applies today. */
export const isInForce = sql`published and valid_from <= (now() at time zone 'UTC')::date`

/** Reads what everybody may read. */
const reader: Actor = {
  userId: null,
  clientIds: [],
  clientId: null,
  superadmin: false,
  administrator: false,
  permissions: new Set(),
}
