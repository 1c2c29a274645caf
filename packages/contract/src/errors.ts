import {
  type Fault,
  fault,
  type FaultCode,
  type FaultValues,
  type TextCode,
  type ValuesFor,
} from './faults.ts'

/**
 * Error codes with HTTP status and wire text (the specification's wording). The console's translation key is
 * `errors.{code}`.
 */
export const errorTable = {
  no_token: { status: 401, text: 'No token found!' },
  token_invalid: { status: 401, text: 'token invalid' },
  token_expired: { status: 401, text: 'Expired token' },
  wrong_login: { status: 401, text: 'Wrong user or password' },
  locked: { status: 423, text: 'Account locked. Try again later or reset the password.' },
  second_factor_required: { status: 401, text: 'Second factor required' },
  second_factor_wrong: { status: 401, text: 'Wrong code' },
  sign_in_failed: { status: 401, text: 'Sign-in failed' },
  forbidden: { status: 403, text: 'Forbidden' },
  not_found: { status: 404, text: 'Not found' },
  invalid: { status: 422, text: 'Invalid input' },
  bad_request: { status: 400, text: 'Bad request' },
  faulty_revision: { status: 409, text: 'Faulty X-Revision value provided' },
  conflict: { status: 409, text: 'Conflict' },
  wrong_state: { status: 409, text: 'Not possible in this state' },
  mail_off: {
    status: 409,
    text: 'System email is switched off. On the server, "emma user reset --username NAME" prints a link for a new password.',
  },
  unique_violation: { status: 409, text: 'SQLSTATE[23505]: Unique violation' },
  in_use: { status: 409, text: 'Still in use' },
  domain_in_setup: { status: 409, text: 'Domain is already being setup.' },
  too_large: { status: 413, text: 'Too large' },
  unsupported_media: { status: 415, text: 'Unsupported media type' },
  too_many: { status: 429, text: 'Too many requests' },
  busy: { status: 503, text: 'The server is busy. Try again in a few seconds.' },
  too_slow: {
    status: 503,
    text: 'This takes too long. Narrow the search or the filters, or try again later.',
  },
  disk_full: {
    status: 507,
    text: 'The disk of the server is almost full. Ask your administrator to free space.',
  },
  not_in_demo: { status: 403, text: 'not supported in demo' },
  database_down: { status: 503, text: 'SQLSTATE[08006]: Connection failure' },
  internal: { status: 500, text: 'Internal error' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof errorTable

/** An invalid field, named by its path in the body (`rules.0.field`) or its parameter. */
export interface FieldError extends Fault {
  field: string
}

/** Fault of a field. */
export function fieldError<Code extends TextCode>(
  field: string,
  code: Code,
  ...values: ValuesFor<Code>
): FieldError {
  return { field, ...fault(code, ...values) }
}

/** Body of every response with a status ≥ 400. */
export interface ErrorBody {
  error: string
  code: ErrorCode
  /** The content of `error` as data, when it is more specific than `code`. */
  reason?: FaultCode
  values?: FaultValues
  fields?: FieldError[]
}

/**
 * Error of the error table. `message` defaults to the messages of the invalid fields, otherwise to the text of the table.
 */
export class EmmaError extends Error {
  readonly code: ErrorCode
  readonly fault: Fault | null
  readonly fields: readonly FieldError[]

  /** @param reason the fault as data, if `code` is not specific enough */
  constructor(code: ErrorCode, reason?: Fault, fields: readonly FieldError[] = []) {
    super(reason?.message ?? (joined(code, fields) || errorTable[code].text))
    this.name = 'EmmaError'
    this.code = code
    this.fault = reason ?? null
    this.fields = fields
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

/** Error 422 with all invalid fields; its text joins them, so that simple clients show all. */
export function invalid(fields: readonly FieldError[]): EmmaError {
  return new EmmaError('invalid', undefined, fields)
}

function joined(code: ErrorCode, fields: readonly FieldError[]): string {
  const isInput = code === 'invalid' || code === 'bad_request'
  return isInput ? fields.map(({ field, message }) => `${field}: ${message}`).join('; ') : ''
}
