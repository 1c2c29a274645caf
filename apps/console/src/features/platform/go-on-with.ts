import type { Replaced } from '@emma/client/session.ts'
import { sessionStore } from '../../shell/session/session-store.ts'

/** A change that ended all sessions of the person: this one goes on with the token that was answered. */
export async function goOnWith<A>(change: Promise<Replaced<A>>): Promise<A> {
  const { answer, claims } = await change
  sessionStore.update({ claims })
  return answer
}
