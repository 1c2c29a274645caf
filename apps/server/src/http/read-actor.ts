import type { SessionClaims } from '@emma/contract/session.ts'
import { readSession } from '@emma/core/account/sessions.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { FastifyRequest } from 'fastify'
import type { Http } from './http.ts'

/** Who is behind a request, by its bearer token (R155). Throws `no_token`, `token_invalid`, `token_expired`. */
export function readActor(
  { sql, config }: Http,
  request: FastifyRequest,
): Promise<{ actor: Actor; claims: SessionClaims }> {
  return readSession(sql, sessionKey(config), bearer(request))
}

export function sessionKey(config: Http['config']): Buffer {
  return config.deriveKey('session')
}

function bearer(request: FastifyRequest): string | null {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}
