import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_LIMITS } from '../network/limits.ts'

export interface BodyPace {
  /** Milliseconds between checks. */
  every: number
  /** Minimum bytes between two checks. */
  least: number
  /** Maximum milliseconds of a body other than uploads. */
  longest: number
}

const USUAL: BodyPace = { every: 60_000, least: 16 * 1024, longest: API_LIMITS.bodyTimeoutMs }
/** Bodies of anonymous callers are small. */
const STRANGERS: BodyPace = { every: 10_000, least: 1, longest: API_LIMITS.publicBodyTimeoutMs }

/**
 * Aborts requests with a slow body (408). An upload may take as long as it needs while it progresses, which Node's
 * `requestTimeout` does not support; other bodies have five minutes, those of public paths half a minute.
 */
export function limitSlowBodies(app: FastifyInstance, fixed?: BodyPace): void {
  app.addHook('onRequest', async request => {
    const { headers } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    // Injected requests in tests have no connection.
    if (hasBody && !request.raw.complete && request.raw.socket instanceof Socket) watch(request, fixed)
  })
}

function watch({ raw, headers, routeOptions }: FastifyRequest, fixed: BodyPace | undefined): void {
  const { socket } = raw
  const isKnown = fixed !== undefined || routeOptions.config.isPublic === false
  const { every, least, longest } = fixed ?? (isKnown ? USUAL : STRANGERS)
  const isUpload = isKnown && (headers['content-type']?.startsWith('multipart/') ?? false)
  const began = Date.now()
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(timer)
    const isMoving = socket.bytesRead - seen >= least
    seen = socket.bytesRead
    // While the server itself is busy with received data, no more can arrive.
    const isAtWork = raw.readableLength > 0
    if ((isMoving || isAtWork) && (isUpload || Date.now() - began < longest)) return
    clearInterval(timer)
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  }, every)
  timer.unref()
  const stop = () => clearInterval(timer)
  raw.once('end', stop).once('close', stop)
}
