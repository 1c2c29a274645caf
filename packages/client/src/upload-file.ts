import { ApiError, errorOfResponse } from './api-error.ts'
import { canCompress, gzip } from './encode-body.ts'
import type { PathParams } from './fill-endpoint.ts'
import { bearer, reach, type Wiring } from './send-call.ts'

/** Progress of an upload: first the compression, then the transfer, each with a `share` from 0 to 1. */
export interface UploadProgress {
  phase: 'packing' | 'sending'
  share: number
}

export interface UploadInput {
  file: Blob
  /** Displayed name of the file. */
  filename: string
  params?: PathParams
  query?: Record<string, unknown>
  /** Additional parts, sent as JSON text. */
  parts?: Record<string, unknown>
  onProgress?: (progress: UploadProgress) => void
  signal?: AbortSignal
}

export interface Upload {
  url: string
  method: string
  input: UploadInput
  wiring: Wiring
}

/**
 * Sends a file as multipart: JSON parts first, then part `file`, gzip-compressed with content type `application/gzip`
 * (its name keeps its extension; uncompressed if unsupported). JSON parts come first so that the server knows the
 * purpose of the file before its first byte.
 * @throws ApiError like every call; a cancelled upload rejects with an AbortError
 */
export function uploadFile(upload: Upload): Promise<unknown> {
  return sendForm(buildForm(upload.input), upload)
}

/** Sends a form as it is. @throws ApiError; AbortError */
export async function sendForm(
  content: FormData | Promise<FormData>,
  { url, method, input, wiring }: Upload,
): Promise<unknown> {
  wiring.loading.begin()
  let token = wiring.token()
  try {
    const form = await content
    input.signal?.throwIfAborted()
    // The token may have been renewed during the compression.
    token = wiring.token()
    const response = await send(form, token, { url, method, input, wiring })
    if (!response.ok) throw await errorOfResponse(response, url)
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    if (error instanceof ApiError) {
      if (error.status === 401) await wiring.settled?.()
      wiring.onError?.(error, token)
    }
    throw error
  } finally {
    wiring.loading.end()
  }
}

async function buildForm(input: UploadInput): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(input.parts ?? {})) form.append(name, JSON.stringify(value))
  // A compressed file is sent unchanged: the server decompresses once.
  if (!canCompress() || input.filename.toLowerCase().endsWith('.gz')) {
    form.append('file', input.file, input.filename)
    return form
  }
  const packed = await gzip(input.file, share => input.onProgress?.({ phase: 'packing', share }))
  form.append('file', new Blob([packed], { type: 'application/gzip' }), input.filename)
  return form
}

/** Only XMLHttpRequest reports the upload progress; fetch is the fallback. */
async function send(form: FormData, token: string | null, upload: Upload): Promise<Response> {
  const { url, method, input, wiring } = upload
  const headers = { accept: 'application/json', ...bearer(token) }
  if (typeof XMLHttpRequest === 'function') return sendByXhr(form, headers, upload)
  return reach(wiring.transport, url, { method, headers, body: form, signal: input.signal ?? null })
}

function sendByXhr(
  form: FormData,
  headers: Record<string, string>,
  { url, method, input }: Upload,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', event => {
      if (event.lengthComputable) input.onProgress?.({ phase: 'sending', share: event.loaded / event.total })
    })
    request.addEventListener('load', () => {
      const contentType = request.getResponseHeader('content-type') ?? ''
      const { status, statusText, responseText } = request
      const body = status === 204 || status === 304 ? null : responseText
      resolve(new Response(body, { status, statusText, headers: { 'content-type': contentType } }))
    })
    request.addEventListener('error', () =>
      reject(new ApiError('Failed to fetch', { status: 0, code: 'network', url })),
    )
    request.addEventListener('abort', () =>
      reject(new DOMException('The upload was cancelled.', 'AbortError')),
    )
    input.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}
