import { session } from '../../shell/api.ts'
import { sessionStore } from '../../shell/session-store.ts'

/** A change that ends all sessions of the person, sent with `replacesToken`: this one goes on with the token it answers. */
export async function goOnWith<A extends { token: string }>(change: () => Promise<A>): Promise<A> {
  const { answer, claims } = await session.replace(change)
  sessionStore.update({ claims })
  return answer
}
