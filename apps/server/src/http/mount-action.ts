import type { Action } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { SessionClaims } from '@emma/contract/session.ts'
import { type Actor, can, scopeOf } from '@emma/core/resource/actor.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { fastifyPath } from './fastify-path.ts'
import type { Http } from './http.ts'
import { parseBody, parseId, parseQuery } from './parse.ts'
import { presentErrorAsText } from './present-error.ts'
import { readActor } from './read-actor.ts'

export interface Call<P, Q, B> extends Http {
  actor: Actor
  /** The session; null on public paths. */
  claims: SessionClaims | null
  params: P
  query: Q
  body: B
  request: FastifyRequest
  reply: FastifyReply
}

const nobody: Actor = {
  userId: null,
  clientIds: [],
  clientId: null,
  superadmin: false,
  administrator: false,
  permissions: new Set(),
}

/**
 * The route of one action: authenticate → permission → client of the path → parse → handler → present. What the
 * handler returns is answered with 200, unless it has set another status; a stream or text goes out as it is.
 */
export function mountAction<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  http: Http,
  action: Action<P, Q, B, R>,
  handler: (call: Call<z.infer<P>, z.infer<Q>, z.infer<B>>) => Promise<unknown>,
): void {
  for (const path of action.paths) {
    http.app.route({
      method: action.method,
      url: fastifyPath(path),
      ...limitOf(action),
      ...(action.answer === 'text' ? { errorHandler: presentErrorAsText } : {}),
      async handler(request, reply) {
        const { actor, claims } =
          action.permission === 'public' ? { actor: nobody, claims: null } : await readActor(http, request)
        assertMayCall(action, actor)
        assertPerson(action, claims)
        assertKeys(actor, request.params)
        const params = parseQuery(action.params, request.params)
        const answer = await handler({
          ...http,
          actor,
          claims,
          params,
          query: parseQuery(action.query, request.query),
          body: action.method === 'GET' ? (undefined as z.infer<B>) : bodyOf(action, request),
          request,
          reply,
        })
        if (action.answer === 'text') void reply.type('text/plain; charset=utf-8')
        return answer
      },
    })
  }
}

function limitOf({ name, perMinute, reads }: Pick<Action, 'name' | 'perMinute' | 'reads'>) {
  const limit = perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: '1 minute' } }
  return { config: { ...limit, action: { name, reads: reads === true } } }
}

/** Multipart bodies are read by the handler, as they stream. */
function bodyOf<B extends z.ZodType>(action: { body: B }, request: FastifyRequest): z.infer<B> {
  return request.isMultipart() ? (undefined as z.infer<B>) : parseBody(action.body, request.body)
}

function assertMayCall(action: Pick<Action, 'permission' | 'superadminOnly'>, actor: Actor): void {
  const { permission, superadminOnly } = action
  if (superadminOnly && !actor.superadmin) throw new EmmaError('forbidden')
  if (permission === null || permission === 'public') return
  if (!can(actor, permission)) throw new EmmaError('forbidden')
}

/** Accounts are the people's own business: an API token keeps data, never passwords, sessions or other tokens. */
function assertPerson(
  { area, permission }: Pick<Action, 'area' | 'permission'>,
  claims: SessionClaims | null,
) {
  if (area === 'account' && permission !== 'public' && claims === null) throw new EmmaError('forbidden')
}

/** What is no key in a path is not found; nor is a `{client_id}` that is none of the actor's business. */
function assertKeys(actor: Actor, params: unknown): void {
  if (typeof params !== 'object' || params === null) return
  for (const [name, text] of Object.entries(params)) {
    if (!/(^|_)id$/.test(name)) continue
    const id = parseId(text)
    if (name === 'client_id') scopeOf(actor, id)
  }
}
