import { type ConflictStrategy, type StorageMeta, storagePath } from '@emma/contract/file-storage.ts'
import { ApiError, type ApiErrorDetails } from './api-error.ts'
import { type Call, sendCall, type Wiring } from './send-call.ts'
import { sendForm } from './upload-file.ts'

export interface StorageUpload {
  strategy?: ConflictStrategy
  /** Share of the file from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** The file storage (R302). Paths are not encoded: `/12/news/logo one.png`; of a folder with a slash at their end. */
export interface FileStorageClient {
  list(path: string, signal?: AbortSignal): Promise<{ meta: StorageMeta; items: StorageMeta[] }>
  createFolder(path: string): Promise<StorageMeta>
  /** Uploads into a folder, or under the name of the path. */
  upload(path: string, file: File, options?: StorageUpload): Promise<StorageMeta>
  move(path: string, newPath: string): Promise<StorageMeta>
  remove(path: string): Promise<void>
}

/** Creates the client. Errors have the text `{message} ({code})` or `{statusText} ({url})` (R318). */
export function createFileStorage(apiHost: string, wiring: Wiring): FileStorageClient {
  const urlOf = (path: string) =>
    `${apiHost}${storagePath}${path.split('/').map(encodeURIComponent).join('/')}`

  async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    const content =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const storageCall: Call = {
      method,
      url: urlOf(path),
      names: ['file'],
      ignoreCache: true,
      signal,
      ...content,
    }
    const response = await sendCall(storageCall, wiring).catch(rethrow)
    return dataOf(await response.json())
  }

  return {
    list: async (path, signal) => trusted(await call('GET', path, undefined, signal)),
    createFolder: async path => metaOf(await call('POST', path)),
    move: async (path, newPath) => metaOf(await call('PATCH', path, { new_path: newPath })),
    async remove(path) {
      await call('DELETE', path)
    },
    async upload(path, file, { strategy, onProgress, signal } = {}) {
      const form = new FormData()
      if (strategy) form.append('conflict_strategy', strategy)
      form.append('file', file, file.name)
      const answer = await sendForm(form, {
        url: urlOf(path),
        method: 'POST',
        input: {
          file,
          filename: file.name,
          ...(onProgress ? { onProgress: ({ share }) => onProgress(share) } : {}),
          ...(signal ? { signal } : {}),
        },
        wiring,
      }).catch(rethrow)
      return metaOf(dataOf(answer))
    },
  }
}

/** The error with the text of the specification, and the details as of other calls. */
function rethrow(error: unknown): never {
  if (!(error instanceof ApiError) || error.status === 0) throw error
  const { status, url, body, retryAfterSeconds } = error
  const common = { status, url, body, retryAfterSeconds }
  if (!isRefusal(body)) throw new ApiError(`${error.message} (${url})`, { ...common, code: error.code })
  const { code, reason, values, fields } = body.details
  throw new ApiError(`${body.message} (${body.code})`, {
    ...common,
    code,
    fault: reason === undefined ? null : { code: reason, values, message: body.message },
    fields: fields ?? [],
  })
}

interface Refusal {
  message: string
  code: number
  details: Pick<ApiErrorDetails, 'code' | 'fields'> & { reason?: string; values?: Record<string, unknown> }
}

function isRefusal(body: unknown): body is Refusal {
  return typeof body === 'object' && body !== null && 'details' in body && 'message' in body && 'code' in body
}

function dataOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null
}

function metaOf(data: unknown): StorageMeta {
  return trusted<{ meta: StorageMeta }>(data).meta
}

/** The server uses the same contract. */
function trusted<T>(value: unknown): T {
  return value as T
}
