import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'

/** The parts of a pg error that are evaluated; the rest (SQL, table, hint) is never exposed. */
interface DatabaseError {
  code: string
  detail?: string
}

/**
 * Maps a PostgreSQL error to an error of the contract; null when it is not the caller's fault. A unique violation keeps
 * the format that the console parses key and value from (T27), without SQL: `… Key (email)=(a@b.de) already exists.`
 */
export function describeDatabaseError(error: unknown): EmmaError | null {
  if (isLostConnection(error)) return new EmmaError('database_down')
  if (!isDatabaseError(error)) return null
  const { code, detail = '' } = error
  if (code === '23505') return uniqueViolation(detail)
  if (code === '23503') {
    const field = /Key \((?:client_id, )?([a-z_]+)\)/.exec(detail)?.[1] ?? 'record'
    return detail.includes('still referenced')
      ? new EmmaError('in_use')
      : invalid([fieldError(field, 'field.not_there')])
  }
  if (code === '23514' || refusedValues.has(code)) return new EmmaError('invalid')
  // query_canceled: the statement timeout.
  if (code === '57014') return new EmmaError('too_slow')
  // too_many_connections, or the server is starting up or shutting down.
  if (code === '53300' || code.startsWith('57P'))
    return new EmmaError('database_down', fault('refusal.no_connections'))
  if (code.startsWith('08')) return new EmmaError('database_down')
  return null
}

/** Values that no column accepts. The contract rejects them first, by field; this catches the rest. */
const refusedValues = new Set(['22001', '22003', '22007', '22008', '22009', '22021', '22P02', '22P05'])

function uniqueViolation(detail: string): EmmaError {
  const match = /^Key \((.*)\)=\((.*)\) already exists/.exec(detail)
  if (!match) return new EmmaError('unique_violation')
  const keys = (match[1] ?? '').split(', ')
  const values = (match[2] ?? '').split(', ')
  const shown = keys.findIndex(key => key !== 'client_id')
  const key = (keys[shown] ?? '').replace(/^lower\((.*?)(?:::text)?\)$/, '$1')
  const value = shown === keys.length - 1 ? values.slice(shown).join(', ') : (values[shown] ?? '')
  return new EmmaError('unique_violation', fault('refusal.duplicate_key', { key, value }), [
    fieldError(key, 'field.taken'),
  ])
}

/** Whether the server could not be reached or the connection was lost; these driver errors have no SQLSTATE. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].some(lost => lost === code) ||
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
  )
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  )
}
