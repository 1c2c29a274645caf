import type { Replaced } from '@emma/client/session.ts'
import { sessionStore } from '../../shell/session/session-store.ts'

/** For changes that end all sessions of the user: keeps this session with the returned token. */
export async function goOnWith<A>(change: Promise<Replaced<A>>): Promise<A> {
  const { answer, claims } = await change
  sessionStore.update({ claims })
  return answer
}
