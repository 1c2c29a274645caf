import type { ErrorCode } from '@emma/contract/errors.ts'
import { storageErrors, type StorageRefusal } from '@emma/contract/file-storage.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nameError } from '../present-error.ts'

/** Errors in the FSP protocol: a number of its table, and the error as of other paths in `details`. */
export function presentStorageError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { code, message, fault, fields, status } = nameError(error, request)
  const body: StorageRefusal = {
    status: 'error',
    code: numbers[code] ?? storageErrors.unknown,
    message,
    details: {
      code,
      ...(fault && { reason: fault.code, ...(fault.values && { values: fault.values }) }),
      ...(fields.length > 0 ? { fields } : {}),
    },
  }
  return reply.status(status).type('application/json; charset=utf-8').send(body)
}

const numbers: Partial<Record<ErrorCode, number>> = {
  no_token: storageErrors.unauthorized,
  token_invalid: storageErrors.unauthorized,
  token_expired: storageErrors.unauthorized,
  forbidden: storageErrors.forbidden,
  not_in_demo: storageErrors.forbidden,
  not_found: storageErrors.not_found,
  conflict: storageErrors.conflict,
  unique_violation: storageErrors.conflict,
  invalid: storageErrors.invalid,
  bad_request: storageErrors.bad_request,
  busy: storageErrors.unavailable,
  too_slow: storageErrors.unavailable,
  database_down: storageErrors.unavailable,
  too_large: storageErrors.too_large,
  unsupported_media: storageErrors.unsupported_media,
  disk_full: storageErrors.disk_full,
  too_many: storageErrors.too_many,
}
