import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EmmaError } from '@emma/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ByteBudget } from '../network/byte-budget.ts'
import { type CollectedBytes, CollectError, collectBytes } from '../network/collect-bytes.ts'
import { API_LIMITS } from '../network/limits.ts'
import { parseJson } from './parse-json.ts'
import { fault } from '@emma/contract/faults.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: the caller was authenticated before the body was read. */
    isPublic?: boolean
    /** The handler reads multipart/form-data; other routes reject it. */
    takesMultipart?: boolean
  }
}

/**
 * Reads JSON bodies, plain or gzip (R162, T28). Unpacked bytes count: those of one body up to the limit of its route,
 * those of all concurrent bodies up to a budget. Anonymous callers have a separate budget, so that they cannot
 * exhaust that of users.
 * @param largestBody maximum bytes of any route
 */
export function readBodies(app: FastifyInstance, largestBody: number): void {
  const strangers = new ByteBudget(API_LIMITS.publicBodiesBytes)
  const callers = new ByteBudget(Math.max(API_LIMITS.bodiesBytes, largestBody))
  app.addHook('preParsing', async (request, _reply, payload: Readable) => unpack(request, payload))
  app.addHook('preValidation', async request => {
    const { takesMultipart = request.is404 } = request.routeOptions.config
    if (request.isMultipart() && !takesMultipart) throw new EmmaError('unsupported_media')
  })
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const { bodyLimit, config } = request.routeOptions
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw new EmmaError('too_large')
    const budget = config.isPublic === false ? callers : strangers
    // A rejection is sent over the same connection, which must stay open; the decompression ends.
    const pieces = payload === request.raw ? payload.iterator({ destroyOnReturn: false }) : payload
    const { bytes, release } = await readBytes(pieces, bodyLimit, budget)
    try {
      return bytes.length === 0 ? undefined : parseJson(bytes, valuesOf(bodyLimit))
    } finally {
      release()
    }
  })
}

/** Maximum number of values in a body of that size. */
export function valuesOf(bytes: number): number {
  return bytes > API_LIMITS.bodyBytes ? API_LIMITS.largeBodyValues : API_LIMITS.bodyValues
}

/** @throws EmmaError `too_large`, `busy`, `bad_request` */
export async function readBytes(
  pieces: AsyncIterable<Buffer>,
  limit: number,
  budget?: ByteBudget,
): Promise<CollectedBytes> {
  return collectBytes(pieces, limit, budget).catch((error: unknown) => {
    if (!(error instanceof CollectError)) throw error
    if (error.reason === 'too large') throw new EmmaError('too_large')
    if (error.reason === 'busy') throw new EmmaError('busy')
    const cause = error.cause instanceof Error ? error.cause.message : String(error.cause)
    throw new EmmaError('bad_request', fault('refusal.body_broken', { reason: cause }))
  })
}

function unpack({ headers }: FastifyRequest, payload: Readable): Readable {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return payload
  if (encoding !== 'gzip')
    throw new EmmaError('unsupported_media', fault('refusal.body_encoding', { encoding }))
  delete headers['content-encoding']
  delete headers['content-length']
  const gunzip = createGunzip()
  payload.on('error', error => gunzip.destroy(error))
  return payload.pipe(gunzip)
}
