import type { DueDocument } from '@emma/contract/legal-document.ts'
import type { SessionClaims } from '@emma/contract/session.ts'

/** The logged-in user and the active client: set by the start-up (R135), read by every screen. */
export interface SessionState {
  claims: SessionClaims | null
  /** Client of the first settings record. */
  client: { client_id: number; name: string; timezone: string } | null
  /** True for the demo client, unless the user is a superadmin (R136). */
  isDemo: boolean
  /** The user's own settings as saved by `{custom}`. */
  custom: Record<string, unknown>
  /** Documents that the client has to confirm. */
  dueDocuments: readonly DueDocument[]
}

export const noSession: SessionState = {
  claims: null,
  client: null,
  isDemo: false,
  custom: {},
  dueDocuments: [],
}

type Listener = () => void

let state = noSession
const listeners = new Set<Listener>()

/** Outside React, because route guards, API calls and other tabs need it too. */
export const sessionStore = {
  get: () => state,
  set: (next: SessionState): void => {
    state = next
    for (const listener of listeners) listener()
  },
  update: (change: Partial<SessionState>): void => {
    sessionStore.set({ ...state, ...change })
  },
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
