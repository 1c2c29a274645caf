import { EmmaError } from '@emma/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** How a caller stands in the present minute. `reset`: seconds to the next. */
interface Standing {
  left: number
  reset: number
}

const minute = 60_000

/**
 * Counts a call of a person or an API token, whose own bound it is wherever they call from.
 *
 * @throws EmmaError `too_many`
 */
export type CountCall = (request: FastifyRequest, caller: string) => void

/**
 * Bounds the calls of each caller; each server counts for itself. Every answer says what is left: `RateLimit-Policy` and
 * `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers), and the older `X-RateLimit-*`. Calls without a session have
 * only the bound of their address, which says so itself.
 *
 * @param limit calls of one caller in a minute
 */
export function limitCallers(app: FastifyInstance, limit: number): CountCall {
  const counts = new Map<string, { calls: number; until: number }>()
  const standings = new WeakMap<FastifyRequest, Standing>()

  app.addHook('onSend', async (request, reply, payload) => {
    const standing = standings.get(request)
    if (!standing) return payload
    const { left, reset } = standing
    void reply.headers({
      'ratelimit-policy': `"caller";q=${limit};w=60`,
      ratelimit: `"caller";r=${left};t=${reset}`,
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': left,
      'x-ratelimit-reset': reset,
    })
    if (reply.statusCode === 429) void reply.header('retry-after', reset)
    return payload
  })

  return (request, caller) => {
    const now = Date.now()
    const count = counts.get(caller)
    const current = count && count.until > now ? count : { calls: 0, until: now + minute }
    current.calls += 1
    if (current !== count) {
      for (const [other, { until }] of counts) if (until <= now) counts.delete(other)
      counts.set(caller, current)
    }
    const reset = Math.ceil((current.until - now) / 1000)
    standings.set(request, { left: Math.max(0, limit - current.calls), reset })
    if (current.calls > limit) throw new EmmaError('too_many')
  }
}
