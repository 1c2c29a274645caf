import { type ErrorCode, errorTable } from '@emma/contract/errors.ts'

/** What an answer can fail with: a code of the error table, or one the browser alone knows. */
export type ApiErrorCode = ErrorCode | 'network' | 'aborted' | 'unknown'

/** What went wrong, as data; `code` may be one that only a newer server knows. */
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

/** A call that failed: the server's own wording, with the url and the body beside it (R314). */
export class ApiError extends Error {
  readonly status: number
  readonly code: ApiErrorCode
  readonly url: string
  readonly body: unknown
  /** What the message says, as data; null where `code` tells it. */
  readonly fault: ApiFault | null
  readonly fields: readonly ApiFieldError[]
  /** When the server wants to be asked again; null where it said nothing. */
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
 * The error of an answer with status ≥ 300 (R314): the body's `error`, the message of an HTML exception page,
 * the status text, or `HTTP status code {n}`.
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

/** Errors that are nobody's bug and therefore never go to the error-reporting service (R320). */
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
  // As Chromium, Firefox and Safari call a failed fetch.
  'failed to fetch',
  'networkerror',
  'load failed',
  'aborted',
  'cancelled',
]

function codeOf(body: unknown): ApiErrorCode {
  // Anything without a code of the table is a stranger's answer: a proxy's page, for instance.
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

/** The message of a framework's exception page: its marked element, else the page's title. */
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
