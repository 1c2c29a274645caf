import { type ErrorCode, errorTable } from '@emma/contract/errors.ts'

/** Code of a failed call: from the error table, or known only to the browser. */
export type ApiErrorCode = ErrorCode | 'network' | 'aborted' | 'unknown'

/** The fault as data; `code` may be one that only a newer server has. */
export interface ApiFault {
  code?: string | undefined
  values?: Readonly<Record<string, unknown>> | undefined
  message: string
}

export interface ApiFieldError extends ApiFault {
  field: string
}

export interface ApiErrorDetails {
  status: number
  code: ApiErrorCode
  url: string
  body?: unknown
  fault?: ApiFault | null
  fields?: readonly ApiFieldError[]
  retryAfterSeconds?: number | null
}

/** A failed call: the server's text, with url and body (R314). */
export class ApiError extends Error {
  readonly status: number
  readonly code: ApiErrorCode
  readonly url: string
  readonly body: unknown
  /** The message as data; null if `code` suffices. */
  readonly fault: ApiFault | null
  readonly fields: readonly ApiFieldError[]
  /** Retry-After in seconds; null without one. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, details: ApiErrorDetails) {
    super(message)
    this.name = 'ApiError'
    this.status = details.status
    this.code = details.code
    this.url = details.url
    this.body = details.body
    this.fault = details.fault ?? null
    this.fields = details.fields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
  }
}

/**
 * Creates the error of a response with status ≥ 300 (R314): the body's `error`, the message of an HTML exception
 * page, the status text, or `HTTP status code {n}`.
 */
export async function errorOfResponse(response: Response, url: string): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const body = parseJson(text)
  const isHtml = response.headers.get('content-type')?.includes('html') ?? false
  const message =
    stringField(body, 'error') ??
    (isHtml ? exceptionMessage(text) : undefined) ??
    (plainText(response, text) || response.statusText.trim() || `HTTP status code ${response.status}`)
  return new ApiError(message, {
    status: response.status,
    code: codeOf(body),
    url,
    body: body ?? text,
    fault: faultOf(body, message),
    fields: fieldErrors(body),
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  })
}

/** Of the two forms of Retry-After (RFC 9110, 10.2.3) the one in seconds. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) : null
}

/** False for errors that are not bugs, which are not sent to the error-reporting service (R320). */
export function isReportable(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  if (error.name === 'AbortError') return false
  if (error instanceof ApiError && (error.code === 'network' || error.code === 'aborted')) return false
  return !unreported.some(text => error.message.toLowerCase().includes(text))
}

const unreported = [
  'faulty x-revision value',
  'login token has expired',
  'no token found',
  'expired token',
  'unauthorized',
  'wrong user or password',
  // Messages of Chromium, Firefox and Safari for a failed fetch.
  'failed to fetch',
  'networkerror',
  'load failed',
  'aborted',
  'cancelled',
]

function codeOf(body: unknown): ApiErrorCode {
  // A body without a code of the table is not from the API: a proxy's page, for instance.
  const code = stringField(body, 'code')
  return code !== undefined && isErrorCode(code) ? code : 'unknown'
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}

function faultOf(body: unknown, message: string): ApiFault | null {
  const code = stringField(body, 'reason')
  return code === undefined ? null : { code, values: valuesOf(body), message }
}

function valuesOf(body: unknown): ApiFault['values'] {
  if (typeof body !== 'object' || body === null || !('values' in body)) return undefined
  const { values } = body
  return typeof values === 'object' && values !== null ? { ...values } : undefined
}

function fieldErrors(body: unknown): ApiFieldError[] {
  if (typeof body !== 'object' || body === null || !('fields' in body) || !Array.isArray(body.fields))
    return []
  return body.fields.flatMap((entry: unknown) => {
    const field = stringField(entry, 'field')
    const message = stringField(entry, 'message')
    return field === undefined || message === undefined
      ? []
      : [{ field, code: stringField(entry, 'code'), values: valuesOf(entry), message }]
  })
}

/** Message of a framework's exception page: its marked element, otherwise the page's title. */
function exceptionMessage(html: string): string | undefined {
  const marked = /class="[^"]*exception[-_]message[^"]*"[^>]*>([^<]+)</i.exec(html)?.[1]
  const title = /<title>([^<]+)<\/title>/i.exec(html)?.[1]
  return (marked ?? title)?.trim() || undefined
}

function plainText(response: Response, text: string): string {
  const isPlain = response.headers.get('content-type')?.startsWith('text/plain') ?? false
  return isPlain ? text.trim().slice(0, 500) : ''
}

function stringField(body: unknown, field: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const value: unknown = Reflect.get(body, field)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The server did not answer, or a proxy says so for it: it may be there again in a moment. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'network' || [502, 503, 504].includes(error.status))
}
