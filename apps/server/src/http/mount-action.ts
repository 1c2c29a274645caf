import type { Action } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { SessionClaims } from '@emma/contract/session.ts'
import { type Actor, can, scopeOf } from '@emma/core/resource/actor.ts'
import type { Db } from '@emma/db/connection.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import { API_LIMITS } from '../network/limits.ts'
import { fastifyPath } from './fastify-path.ts'
import type { Http } from './http.ts'
import { parseBody, parseId, parseQuery } from './parse.ts'
import { presentErrorAsText } from './present-error.ts'
import { readActor } from './read-actor.ts'
import { fault } from '@emma/contract/faults.ts'

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

/** Response of actions without data. */
export const done = { ok: true } as const

const nobody: Actor = {
  userId: null,
  clientIds: [],
  clientId: null,
  superadmin: false,
  administrator: false,
  permissions: new Set(),
}

/**
 * Mounts one action: authenticate → permission → client of the path → parse → handler → present. The handler
 * returns what the contract says; it is answered with 200 or the action's status. A reply that the handler sent itself
 * goes out as it is.
 */
export function mountAction<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R>(
  http: Http,
  action: Action<P, Q, B, z.ZodType<R>>,
  handler: (call: Call<z.infer<P>, z.infer<Q>, z.infer<B>>) => Promise<NoInfer<R> | FastifyReply>,
): void {
  for (const path of action.paths) {
    http.app.route({
      method: action.method,
      url: fastifyPath(path),
      ...limitsOf(http, action),
      ...(action.answer === 'text' ? { errorHandler: presentErrorAsText } : {}),
      async handler(request, reply) {
        const { actor, claims } =
          action.permission === 'public' ? { actor: nobody, claims: null } : await readActor(http, request)
        assertMayCall(action, actor)
        assertPerson(action, claims)
        assertKeys(actor, request.params)
        const params = parseQuery(action.params, request.params)
        const query = parseQuery(action.query, request.query)
        const body = action.method === 'GET' ? parseBody(action.body, undefined) : bodyOf(action, request)
        const call = (db: Db) => handler({ ...http, db, actor, claims, params, query, body, request, reply })
        const answer = action.slow
          ? await http.slowReads.run(clientOf(actor, request.params), call)
          : await call(http.db)
        if (action.status !== undefined) void reply.status(action.status)
        if (action.status === 204) return null
        if (action.answer === 'text') void reply.type('text/plain; charset=utf-8')
        return answer
      },
    })
  }
}

/** The client that slow reads count for: that of the path, otherwise the caller's active one. */
export function clientOf({ clientId, userId }: Actor, params: unknown): string {
  const ofPath =
    typeof params === 'object' && params !== null && 'client_id' in params ? params.client_id : null
  const client = ofPath ?? clientId
  return client === null ? `person ${userId}` : `client ${Number(client)}`
}

type LimitedAction = Pick<
  Action,
  | 'name'
  | 'paths'
  | 'area'
  | 'permission'
  | 'perMinute'
  | 'reads'
  | 'unlogged'
  | 'largeBody'
  | 'takesFile'
  | 'queuesMail'
  | 'takesMailKey'
>

function limitsOf({ config }: Http, action: LimitedAction) {
  const { name, area, permission, perMinute, reads, largeBody, takesFile } = action
  const queuesMail = action.queuesMail === true
  // A shop hands over its emails from one address.
  const max = queuesMail ? API_LIMITS.mailCallsPerAddressMinute : perMinute
  const limit = max === undefined ? {} : { rateLimit: { max, timeWindow: '1 minute' } }
  const isPublic = permission === 'public'
  const bodyLimit =
    isPublic || area === 'account' ? API_LIMITS.publicBodyBytes : bodyLimitOf(config, largeBody === true)
  const takesMultipart = takesFile !== undefined
  return {
    bodyLimit,
    config: {
      ...limit,
      isPublic,
      takesMultipart,
      action: {
        name,
        path: action.paths[0],
        reads: reads === true,
        unlogged: action.unlogged === true,
        queuesMail,
        takesMailKey: queuesMail || action.takesMailKey === true,
      },
    },
  }
}

/** Maximum bytes of a JSON body of an authenticated caller. */
export function bodyLimitOf(config: Config, isLarge: boolean): number {
  return isLarge ? config.bodyLimit : Math.min(API_LIMITS.bodyBytes, config.bodyLimit)
}

/** Handlers read multipart bodies as a stream. Throws `unsupported_media` for other bodies. */
function bodyOf<B extends z.ZodType>(
  action: Pick<Action<z.ZodType, z.ZodType, B>, 'body' | 'takesFile'>,
  request: FastifyRequest,
): z.infer<B> {
  const isJson = action.takesFile !== true && !request.isMultipart()
  if (isJson || action.takesFile === undefined) return parseBody(action.body, request.body)
  if (!request.isMultipart()) throw new EmmaError('unsupported_media', fault('refusal.body_multipart'))
  return undefined as z.infer<B>
}

function assertMayCall(
  action: Pick<Action, 'permission' | 'alsoNeeds' | 'superadminOnly'>,
  actor: Actor,
): void {
  const { permission, alsoNeeds = [], superadminOnly } = action
  if (superadminOnly && !actor.superadmin) throw new EmmaError('forbidden')
  if (permission === null || permission === 'public') return
  if (![permission, ...alsoNeeds].every(needed => can(actor, needed))) throw new EmmaError('forbidden')
}

/** Account actions need a session: an API token may change data, never passwords, sessions or other tokens. */
function assertPerson(
  { area, permission }: Pick<Action, 'area' | 'permission'>,
  claims: SessionClaims | null,
) {
  if (area === 'account' && permission !== 'public' && claims === null) throw new EmmaError('forbidden')
}

/** An invalid key in a path is not found, and so is an inaccessible `{client_id}`. */
function assertKeys(actor: Actor, params: unknown): void {
  if (typeof params !== 'object' || params === null) return
  for (const [name, text] of Object.entries(params)) {
    if (!/(^|_)id$/.test(name)) continue
    const id = parseId(text)
    if (name === 'client_id') scopeOf(actor, id)
  }
}
