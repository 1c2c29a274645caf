import { session } from '../../shell/api.ts'
import { sessionStore } from '../../shell/session-store.ts'

/** A change ended all sessions of the person: this one goes on with the token that came back. */
export function goOnWith(token: string): void {
  sessionStore.update({ claims: session.adopt(token) })
}
