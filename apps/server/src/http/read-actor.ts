import { tokenPrefix } from '@emma/contract/actions/api-tokens.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { mailKeyPrefix } from '@emma/contract/actions/transactional.ts'
import { readApiToken } from '@emma/core/account/api-tokens.ts'
import { readSession } from '@emma/core/account/sessions.ts'
import { readMailKey } from '@emma/core/transactional/mail-key.ts'
import type { Actor } from '@emma/core/resource/actor.ts'
import type { FastifyRequest } from 'fastify'
import type { Http } from './http.ts'
import { assertNotDemo, withoutDemo } from './refuse-demo.ts'
import type { Caller } from './caller.ts'

const callers = new WeakMap<FastifyRequest, Actor>()
const identified = new WeakMap<FastifyRequest, Promise<Caller>>()

/**
 * Authenticates a request by its bearer token (R155): of a session, or an API token. Throws `no_token`,
 * `token_invalid`, `token_expired`, and `not_in_demo` for writes in the demo (T11).
 */
export async function readActor(http: Http, request: FastifyRequest): Promise<Caller> {
  const caller = await identifyCaller(http, request)
  assertNotDemo(request, caller)
  return { actor: withoutDemo(request, caller), claims: caller.claims }
}

/** The same before the body is read: anonymous callers may not send one to non-public routes. Cached per request. */
export function identifyCaller(http: Http, request: FastifyRequest): Promise<Caller> {
  const caller = identified.get(request) ?? identify(http, request)
  identified.set(request, caller)
  return caller
}

async function identify(http: Http, request: FastifyRequest): Promise<Caller> {
  const { db, config, kept, countCall } = http
  const token = bearer(request)
  if (token?.startsWith(mailKeyPrefix)) return identifyByMailKey(http, request, token)
  const { actor, claims } = token?.startsWith(tokenPrefix)
    ? { actor: await readApiToken(db, token, request.ip), claims: null }
    : await readKept(kept.sessions, token, () => readSession(db, sessionKey(config), token))
  const countedAs = claims ? `person ${actor.userId}` : `token ${actor.trail?.tokenId}`
  countCall(request, countedAs)
  const trail = {
    ip: request.ip,
    requestId: request.id,
    tokenId: actor.trail?.tokenId ?? null,
    viewRole: claims?.view_role ?? null,
    isLogged: false,
  }
  const caller = { actor: { ...actor, trail }, claims }
  callers.set(request, caller.actor)
  return caller
}

/**
 * The key of a transactional email is good for its own calls alone. Its client counts no calls here: those that send have
 * the limit of the transactional email.
 */
async function identifyByMailKey({ db, kept }: Http, request: FastifyRequest, key: string): Promise<Caller> {
  const { action } = request.routeOptions.config
  if (!action?.takesMailKey) throw new EmmaError('token_invalid')
  const { transactionalId, actor } = await kept.mailKeys.get(key, () => readMailKey(db, key))
  const { id } = request.params as { id?: string }
  if (id !== String(transactionalId)) throw new EmmaError('not_found')
  const trail = { ip: request.ip, requestId: request.id, tokenId: null, viewRole: null, isLogged: false }
  const caller = { actor: { ...actor, trail }, claims: null }
  callers.set(request, caller.actor)
  return caller
}

async function readKept(
  sessions: Http['kept']['sessions'],
  token: string | null,
  read: () => Promise<Caller>,
): Promise<Caller> {
  const caller = await sessions.get(token ?? '', read)
  if (caller.claims && caller.claims.exp * 1000 <= Date.now()) throw new EmmaError('token_expired')
  return caller
}

/** Returns the authenticated actor of the request; undefined if it was not authenticated. */
export function callerOf(request: FastifyRequest): Actor | undefined {
  return callers.get(request)
}

export function sessionKey(config: Http['config']): Buffer {
  return config.deriveKey('session')
}

function bearer(request: FastifyRequest): string | null {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}
