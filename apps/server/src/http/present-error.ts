import { EmmaError, type ErrorBody, type ErrorCode } from '@emma/contract/errors.ts'
import { describeDatabaseError } from '@emma/core/resource/database-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { jsonApiErrors, jsonApiType, wantsJsonApi } from './json-api.ts'
import { fault } from '@emma/contract/faults.ts'

/** Converts any thrown error to an error response. Unexpected errors are logged in full and sent as `internal`. */
export function presentError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, fault, fields, status } = nameError(error, request)
  if (code === 'busy') void reply.header('retry-after', RETRY_AFTER_SECONDS)
  const body: ErrorBody = {
    error: message,
    code,
    ...(fault && { reason: fault.code, ...(fault.values && { values: fault.values }) }),
    ...(fields.length > 0 ? { fields: [...fields] } : {}),
  }
  if (wantsJsonApi(request)) {
    // As bytes, because Fastify adds a charset to strings, which the media type forbids.
    const bytes = Buffer.from(JSON.stringify(jsonApiErrors(body)))
    return reply.status(status).type(jsonApiType).send(bytes)
  }
  return reply.status(status).type('application/json; charset=utf-8').send(body)
}

const RETRY_AFTER_SECONDS = 5

/** The same as plain text, for paths that respond in text (T22). */
export function presentErrorAsText(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { message, status } = nameError(error, request)
  return reply.status(status).type('text/plain; charset=utf-8').send(message)
}

/** Converts any thrown error to one of the error table; logs unexpected ones in full. */
export function nameError(error: unknown, request: FastifyRequest): EmmaError {
  const known = describe(error)
  if (!known) request.log.error({ err: error }, 'request failed')
  return known ?? new EmmaError('internal')
}

function describe(error: unknown): EmmaError | null {
  if (error instanceof EmmaError) return error
  return describeDatabaseError(error) ?? describeHttpError(error)
}

const byStatus: Partial<Record<number, ErrorCode>> = {
  400: 'bad_request',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media',
  429: 'too_many',
}

/** Fastify's own errors: invalid JSON, body too large, unknown type. */
function describeHttpError(error: unknown): EmmaError | null {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return null
  const code = byStatus[error.statusCode]
  if (!code) return null
  return code === 'bad_request'
    ? new EmmaError(code, fault('refusal.http', { reason: error.message }))
    : new EmmaError(code)
}
