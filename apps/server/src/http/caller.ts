import type { SessionClaims } from '@emma/contract/session.ts'
import type { Actor } from '@emma/core/resource/actor.ts'

/** The authenticated caller. A program with an API token has no session, and so no claims. */
export interface Caller {
  actor: Actor
  claims: SessionClaims | null
}
