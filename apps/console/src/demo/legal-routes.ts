import { type Confirmation, legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { type LegalKind, legalKinds } from '@emma/contract/legal-document.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { type DemoRoute, type DemoState, type Fields, onAction, pageOf } from './demo-call.ts'
import type { DemoLegalDocument } from './demo-records.ts'
import { recordRoutes } from './record-routes.ts'
import { firstKey } from './seed/seeding.ts'

/** Terms and data-processing agreements with their confirmations, by the rules of the server. */
export const legalRoutes: readonly DemoRoute[] = legalKinds.flatMap(kind => routesOf(kind))

function routesOf(kind: LegalKind): DemoRoute[] {
  const { resource, latest, listConfirms, confirmations, confirm } = legalDocuments[kind]
  const confirmed = ({ tables }: DemoState) => tables<Confirmation>(`${kind}_confirm`)
  return [
    ...onAction(latest, (_, state) => latestOf(kind, state)),
    ...onAction(listConfirms, async ({ query: { limit, offset } }, state) =>
      pageOf(newestFirst(await confirmed(state).all()), limit, offset),
    ),
    ...onAction(confirmations, async ({ params, query: { limit, offset } }, state) => {
      const rows = newestFirst(await confirmed(state).all()).filter(({ doc_id }) => doc_id === params.id)
      const named = rows.map(row => ({ ...row, client_id: demoClientId, client_name: 'Demo' }))
      return pageOf(named, limit, offset)
    }),
    ...onAction(confirm, async ({ body: { doc_id, name, role } }, state) => {
      const earlier = (await confirmed(state).all()).find(row => row.doc_id === doc_id)
      if (earlier) return earlier
      const { id, version } = await latestOf(kind, state)
      if (id !== doc_id) throw new EmmaError('conflict', fault('refusal.document_newer', { version }))
      const confirmation = {
        id: firstKey + doc_id,
        doc_id,
        version,
        sha256: '0'.repeat(64),
        user_id: state.person.id,
        name,
        role,
        confirmed_at: state.now().toISOString(),
      }
      await confirmed(state).put(confirmation.id, confirmation)
      return confirmation
    }),
    ...recordRoutes({
      resource,
      entity: kind,
      blank: { ...initialValues(resource), pdf: null, published_at: null },
      settle: async (row, before, { now }) => published(row, before, now()),
    }),
  ]
}

async function latestOf(kind: LegalKind, { tables, now }: DemoState): Promise<DemoLegalDocument> {
  const today = now().toISOString().slice(0, 10)
  const [latest] = (await tables<DemoLegalDocument>(kind).all())
    .filter(document => document.published && document.valid_from <= today)
    .toSorted((one, other) => other.valid_from.localeCompare(one.valid_from) || other.id - one.id)
  if (!latest) throw new EmmaError('not_found')
  return latest
}

function published(row: Fields, before: Fields | null, now: Date): Fields {
  if (before?.['published'] === true) throw new EmmaError('wrong_state', fault('refusal.document_published'))
  return { ...row, published_at: row['published'] === true ? now.toISOString() : null }
}

function newestFirst(rows: readonly Confirmation[]): Confirmation[] {
  return rows.toSorted((one, other) => other.confirmed_at.localeCompare(one.confirmed_at))
}
