import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface BodyPace {
  /** Milliseconds between two looks. */
  every: number
  /** Bytes that must have come from one look to the next. */
  least: number
  /** Milliseconds a body may take that is no upload. */
  longest: number
}

const usual: BodyPace = { every: 60_000, least: 16 * 1024, longest: 300_000 }

/**
 * Ends requests whose body does not get on (408). An upload may take as long as it needs while it moves, which Node's own
 * `requestTimeout` does not allow; other bodies have five minutes.
 */
export function watchBodies(app: FastifyInstance, pace: BodyPace = usual): void {
  app.addHook('onRequest', async request => {
    const { headers } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    // A request that was made up in this process has no connection to watch.
    if (hasBody && !request.raw.complete && request.raw.socket instanceof Socket) watch(request, pace)
  })
}

function watch({ raw, headers }: FastifyRequest, { every, least, longest }: BodyPace): void {
  const { socket } = raw
  const isUpload = headers['content-type']?.startsWith('multipart/') ?? false
  const began = Date.now()
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(timer)
    const isMoving = socket.bytesRead - seen >= least
    seen = socket.bytesRead
    // While the server itself is busy with what came, nothing more can come.
    const isAtWork = raw.readableLength > 0
    if ((isMoving || isAtWork) && (isUpload || Date.now() - began < longest)) return
    clearInterval(timer)
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  }, every)
  timer.unref()
  const stop = () => clearInterval(timer)
  raw.once('end', stop).once('close', stop)
}
