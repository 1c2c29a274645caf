import { EmmaError } from '@emma/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** How a caller stands in the present minute. `reset`: seconds to the next. */
interface Standing {
  limit: number
  left: number
  reset: number
}

const minute = 60_000
const counts = new Map<string, { calls: number; until: number }>()
const standings = new WeakMap<FastifyRequest, Standing>()

/**
 * Counts a call of a person or an API token, whose own bound it is wherever they call from. Each process counts for
 * itself.
 *
 * @throws EmmaError `too_many`
 */
export function countCall(request: FastifyRequest, caller: string, limit: number): void {
  const now = Date.now()
  const count = counts.get(caller)
  const current = count && count.until > now ? count : { calls: 0, until: now + minute }
  current.calls += 1
  if (current !== count) {
    for (const [other, { until }] of counts) if (until <= now) counts.delete(other)
    counts.set(caller, current)
  }
  const reset = Math.ceil((current.until - now) / 1000)
  standings.set(request, { limit, left: Math.max(0, limit - current.calls), reset })
  if (current.calls > limit) throw new EmmaError('too_many')
}

/**
 * Says in each answer what is left: `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers), and
 * the older `X-RateLimit-*`. Calls without a session have only the bound of their address, which says so itself.
 */
export function tellLimits(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const standing = standings.get(request)
    if (!standing) return payload
    const { limit, left, reset } = standing
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
}
