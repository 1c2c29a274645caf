import { EmmaError, type ErrorCode } from '@emma/contract/errors.ts'
import { faultOfIssue } from '@emma/contract/schema-faults.ts'
import { DocumentError } from '@emma/core/documents/document-error.ts'
import { describeDatabaseError } from '@emma/core/resource/database-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

/** CouchDB's error format; users read the text of `code`, the contract's. */
export function presentDocumentError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, ...body } = describe(error)
  if (status === 500) request.log.error({ err: error }, 'request failed')
  return reply.status(status).type('application/json; charset=utf-8').send(body)
}

interface Refusal {
  status: number
  error: string
  reason: string
  code?: ErrorCode
}

const names: Partial<Record<ErrorCode, string>> = {
  no_token: 'unauthorized',
  token_invalid: 'unauthorized',
  token_expired: 'unauthorized',
  too_large: 'too_large',
  unsupported_media: 'bad_content_type',
}

/** Codes of CouchDB's names for users; the other names are errors of the request. */
const codes: Partial<Record<string, ErrorCode>> = {
  conflict: 'conflict',
  document_too_large: 'too_large',
  forbidden: 'forbidden',
  not_found: 'not_found',
  timeout: 'too_slow',
  too_large: 'too_large',
}

function describe(error: unknown): Refusal {
  if (error instanceof DocumentError) {
    const { status, error: name, message: reason } = error
    return { status, error: name, reason, code: codes[name] ?? 'bad_request' }
  }
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    const field = issue?.path.join('.') ?? ''
    return {
      status: 400,
      error: 'bad_request',
      reason: `${field ? `${field}: ` : ''}${issue ? faultOfIssue(issue).message : 'is not valid'}`,
    }
  }
  const known = error instanceof EmmaError ? error : describeDatabaseError(error)
  if (known)
    return {
      status: known.status,
      error: names[known.code] ?? known.code,
      reason: known.message,
      code: known.code,
    }
  return describeHttpError(error)
}

/** Fastify's own errors: body too large, unknown type, invalid. */
function describeHttpError(error: unknown): Refusal {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (!(error instanceof Error) || !(status >= 400 && status < 500))
    return {
      status: 500,
      error: 'internal_server_error',
      reason: 'The server made a mistake. It has been logged.',
    }
  return { status, error: 'bad_request', reason: error.message }
}
