import { EmmaError } from '@emma/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** State of a caller in the current minute. `reset`: seconds until the next. */
interface Standing {
  limit: number
  left: number
  reset: number
}

/** A limit of a caller's own, and what a call counts as. */
interface CallLimit {
  /** Per minute. */
  limit: number
  calls: number
}

const minute = 60_000

/**
 * Counts a call of a user or API token towards its limit, from any IP address.
 *
 * @throws EmmaError `too_many`
 */
export type CountCall = (request: FastifyRequest, caller: string, own?: CallLimit) => void

/**
 * Limits the calls of each caller; each server counts separately. Adds the remaining calls to each response:
 * `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers), and the older `X-RateLimit-*`. Calls
 * without a session only have the limit of their address, which sets its own headers.
 *
 * @param usualLimit calls per caller and minute
 */
export function limitCallers(app: FastifyInstance, usualLimit: number): CountCall {
  const counts = new Map<string, { calls: number; until: number }>()
  const standings = new WeakMap<FastifyRequest, Standing>()

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

  return (request, caller, { limit, calls } = { limit: usualLimit, calls: 1 }) => {
    const now = Date.now()
    const count = counts.get(caller)
    const current = count && count.until > now ? count : { calls: 0, until: now + minute }
    const isWithin = current.calls + calls <= limit
    if (isWithin) current.calls += calls
    if (current !== count) {
      for (const [other, { until }] of counts) if (until <= now) counts.delete(other)
      counts.set(caller, current)
    }
    const reset = Math.ceil((current.until - now) / 1000)
    standings.set(request, { limit, left: Math.max(0, limit - current.calls), reset })
    if (!isWithin) throw new EmmaError('too_many')
  }
}
