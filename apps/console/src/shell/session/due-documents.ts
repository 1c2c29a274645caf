import type { DueDocument, LegalKind } from '@emma/contract/legal-document.ts'
import { type SessionState, sessionStore } from './session-store.ts'
import { holds, isAdministrator } from './use-session.ts'

const rights = { agb: 'AgbConfirm:post', bav: 'BavConfirm:post' } as const
const paths = { agb: '/accept-agb', bav: '/accept-bav' } as const

/** True for administrators of the client with the permission, and for superadmins. */
export function mayConfirm(session: SessionState, kind: LegalKind): boolean {
  return isAdministrator(session) && holds(session, { all: [rights[kind]] })
}

/**
 * Screen where the user has to confirm a document before anything else; null if there is none. Superadmins only look at
 * a client. Nobody is sent to what they cannot do: without the permission, or before they have set up a second factor.
 */
export function acceptPath(session: SessionState): (typeof paths)[LegalKind] | null {
  const { claims } = session
  if (claims === null || claims.sub.superadmin || claims.second_factor_missing) return null
  const due = session.dueDocuments.find(({ kind }) => mayConfirm(session, kind))
  return due ? paths[due.kind] : null
}

/** Whether campaigns can no longer be started. */
export function isOverdue({ until }: Pick<DueDocument, 'until'>): boolean {
  return Date.parse(until) <= Date.now()
}

/** Called after a confirmation. */
export function forgetDueDocument(kind: LegalKind): void {
  const { dueDocuments } = sessionStore.get()
  sessionStore.update({ dueDocuments: dueDocuments.filter(due => due.kind !== kind) })
}
