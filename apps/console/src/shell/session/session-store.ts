import type { SessionClaims } from '@emma/contract/session.ts'

/** Who works here and for which client: filled by the start-up (R135), read by every screen. */
export interface SessionState {
  claims: SessionClaims | null
  /** Client of the first settings record. */
  client: { client_id: number; name: string; timezone: string } | null
  /** The demo client, and not a superadmin (R136). */
  isDemo: boolean
  /** The person's own settings as saved by `{custom}`. */
  custom: Record<string, unknown>
}

export const noSession: SessionState = { claims: null, client: null, isDemo: false, custom: {} }

type Listener = () => void

let state = noSession
const listeners = new Set<Listener>()

/** Kept outside React because route guards, calls and other tabs need it too. */
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
