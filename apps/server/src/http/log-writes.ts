import type { Actor } from '@emma/core/resource/actor.ts'
import { installation, isSecret, logChange } from '@emma/core/resource/log-change.ts'
import type { FastifyRequest } from 'fastify'
import type { Http } from './http.ts'
import { callerOf } from './read-actor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action of a route. `reads`: it changes nothing; `queuesMail`: the log of its mails has it. */
    action?: {
      name: string
      reads: boolean
      unlogged?: boolean
      queuesMail?: boolean
      takesMailKey?: boolean
      /** That of the contract, with `{name}` parameters. */
      path?: string
    }
  }
}

/** Maximum characters of a logged value, for calls that log nothing themselves. */
const longestValue = 1000

/**
 * Ensures that every write is in the audit log before the response: operations log what they change; for calls that
 * did not, the request is logged here.
 */
export function logWrites({ app, db, logger }: Http): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const actor = callerOf(request)
    if (!actor?.trail || actor.trail.isLogged || !isWrite(request, reply.statusCode)) return payload
    await logChange(db, actor, { ...targetOf(request, actor), changes: wishes(request.body) }).catch(
      (error: unknown) => logger.error({ err: error }, 'a write is missing in the audit log'),
    )
    return payload
  })
}

function isWrite({ method, routeOptions }: FastifyRequest, status: number): boolean {
  if (status >= 400 || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  const { action } = routeOptions.config
  if (action) return !action.reads && !action.unlogged && !action.queuesMail
  // `DELETE ?test` is a dry run.
  return method !== 'DELETE' || status === 204
}

const verbs: Partial<Record<string, string>> = { POST: 'create', DELETE: 'delete' }

/** Target of the path: the word before its first key, and that key. */
function targetOf({ method, routeOptions, params }: FastifyRequest, actor: Actor) {
  const keys = params as Partial<Record<string, string>>
  const parts = (routeOptions.url ?? '').split('/').filter(Boolean)
  const keyAt = parts.findIndex(part => /^:(?!client_id$)\w*id$/.test(part))
  const words = (keyAt === -1 ? parts : parts.slice(0, keyAt)).filter(part => !part.startsWith(':'))
  const object = words.at(-1)?.split('::')[0] || 'installation'
  const id = keyAt === -1 ? 0 : Number(keys[parts[keyAt]?.slice(1) ?? ''])
  return {
    clientId: Number(keys.client_id ?? actor.clientId ?? installation),
    object,
    id: Number.isSafeInteger(id) ? id : 0,
    action: routeOptions.config.action?.name ?? verbs[method] ?? 'update',
  }
}

/** Fields of the body, long ones truncated. */
function wishes(body: unknown): Record<string, [unknown, unknown]> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  return Object.fromEntries(
    Object.entries(body)
      .slice(0, 100)
      .map(([name, value]) => [name, [null, short(value)]]),
  )
}

function short(value: unknown): unknown {
  const text =
    typeof value === 'string'
      ? value
      : (JSON.stringify(value, (name, each) => (isSecret(name) ? undefined : each)) ?? '')
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : value
}
