import type { Action } from '@emma/contract/define-action.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { ApiError } from './api-error.ts'
import type {
  EmmaClient,
  Id,
  Page,
  ReadOptions,
  RecordOf,
  Removal,
  Values,
  WriteOptions,
} from './emma-client.ts'
import { encodeBody } from './encode-body.ts'
import { fillEndpoint, type PathParams } from './fill-endpoint.ts'
import { defaultLimit, type ListQuery, listSearchParams, searchParams } from './list-query.ts'
import { createLoadingCounter, type LoadingCounter } from './loading-counter.ts'
import { isWire, mergeIncluded } from './merge-included.ts'
import { createResponseCache, namesOfPath, type ResponseCache } from './response-cache.ts'
import type { ReplaceToken } from './session.ts'
import { type Call, sendCall, type Transport, type Wiring } from './send-call.ts'
import { uploadFile } from './upload-file.ts'

export interface ClientOptions {
  /** Base URL of the API, without a trailing slash: `https://host/api`. */
  apiHost: string
  token: () => string | null
  /** Waits for a pending replacement of the stored token. */
  settled?: () => Promise<void>
  /** Stores the token that a call returns (`createSession`). */
  replaceToken?: ReplaceToken
  /** Path parameters available to every call; `{client_id}` is the active client. */
  params?: () => PathParams
  transport?: Transport
  cache?: ResponseCache
  loading?: LoadingCounter
  /** Default page size of lists. */
  itemsPerPage?: number
  onError?: (error: ApiError, token: string | null) => void
}

const allPage = 50

/** Creates the typed API client from the contract, which defines everything about resources. */
export function createClient(options: ClientOptions): EmmaClient {
  const wiring: Wiring = {
    transport: options.transport ?? ((url, init) => fetch(url, init)),
    token: options.token,
    cache: options.cache ?? createResponseCache(() => ''),
    loading: options.loading ?? createLoadingCounter(),
    ...(options.settled ? { settled: options.settled } : {}),
    ...(options.onError ? { onError: options.onError } : {}),
  }

  const { replaceToken = noSession } = options

  function address(path: string, params: PathParams | undefined, query: URLSearchParams): string {
    const filled = fillEndpoint(path, { ...options.params?.(), ...params })
    return `${options.apiHost}${filled}${query.size > 0 ? `?${query}` : ''}`
  }

  async function send(call: Call): Promise<unknown> {
    return readBody(await sendCall(call, wiring))
  }

  async function list<R extends Resource>(resource: R, query: ListQuery = {}, read: ReadOptions = {}) {
    const [path] = resource.paths
    const search = listSearchParams(query, path, options.itemsPerPage ?? defaultLimit)
    const url = address(path, read.params, search)
    const body = await send({
      method: 'GET',
      url,
      names: shownNames(resource, query.included),
      ...cacheOptions(read),
    })
    return pageOf<RecordOf<R>>(body, url)
  }

  async function write<R extends Resource>(
    method: string,
    resource: R,
    id: Id | null,
    values: Values<R>,
    wanted: WriteOptions = {},
  ): Promise<RecordOf<R>> {
    const { body, headers } = await encodeBody(values)
    const url = recordAddress(resource, id, wanted.params, new URLSearchParams())
    const answer = await send({
      method,
      url,
      names: shownNames(resource),
      body,
      headers: { ...headers, ...revisionHeader(wanted.revision) },
      signal: wanted.signal,
    })
    return recordOf<RecordOf<R>>(answer, url)
  }

  function recordAddress(
    resource: Resource,
    id: Id | null,
    params: PathParams | undefined,
    query: URLSearchParams,
  ) {
    const [path] = resource.paths
    return id === null ? address(path, params, query) : address(`${path}{id}`, { ...params, id }, query)
  }

  async function removeOne(resource: Resource, id: Id, wanted: WriteOptions): Promise<Removal> {
    const url = recordAddress(resource, id, wanted.params, new URLSearchParams())
    try {
      await sendCall(
        { method: 'DELETE', url, names: shownNames(resource), headers: revisionHeader(wanted.revision) },
        wiring,
      )
      return { id }
    } catch (error) {
      if (error instanceof ApiError) return { id, error }
      throw error
    }
  }

  async function actionCall(action: Action, input: LooseInput, replacesToken = false): Promise<Response> {
    const [path] = action.paths
    const url = address(path, toParams(input.params), searchParams(toRecord(input.query)))
    const encoded =
      action.method === 'GET' || input.body === undefined ? undefined : await encodeBody(input.body)
    return sendCall(
      {
        method: action.method,
        url,
        names: [...namesOfPath(path), ...(action.evicts ?? [])],
        ...(encoded ? { body: encoded.body } : {}),
        headers: { ...encoded?.headers, ...revisionHeader(input.revision) },
        keepalive: input.keepalive,
        replacesToken,
        ...cacheOptions(input),
      },
      wiring,
    )
  }

  return {
    list,
    async listAll(resource, query = {}, read = {}) {
      const first = await list(resource, { ...query, limit: allPage, offset: 0 }, read)
      const rows = first.data
      let isFull = rows.length === allPage
      while (isFull && rows.length < first.pagination.total) {
        const next = await list(resource, { ...query, limit: allPage, offset: rows.length }, read)
        rows.push(...next.data)
        isFull = next.data.length === allPage
      }
      return rows
    },
    async find(resource, id, query = {}, read = {}) {
      const { included, ...rest } = query
      const search = searchParams({ ...rest, explicitly_included: included ?? [] })
      const url = recordAddress(resource, id, read.params, search)
      const isSecret = query.secret !== undefined
      return recordOf(
        await send({
          method: 'GET',
          url,
          names: shownNames(resource, included),
          ...cacheOptions(read),
          ...(isSecret ? { ignoreCache: true } : {}),
        }),
        url,
      )
    },
    create: (resource, values, wanted) => write('POST', resource, null, values, wanted),
    patch: (resource, id, values, wanted) => write('PATCH', resource, id, values, wanted),
    replace: (resource, id, values, wanted) => write('PUT', resource, id, values, wanted),
    remove: (resource, ids, wanted = {}) =>
      Promise.all((isList(ids) ? ids : [ids]).map(id => removeOne(resource, id, wanted))),
    async restore(resource, id, wanted = {}) {
      const [path] = resource.paths
      const url = address(`${path}{id}/restore`, { ...wanted.params, id }, new URLSearchParams())
      return recordOf(
        await send({ method: 'POST', url, names: shownNames(resource), signal: wanted.signal }),
        url,
      )
    },
    async testRemove(resource, id, wanted = {}) {
      const url = recordAddress(resource, id, wanted.params, new URLSearchParams({ test: '' }))
      // Without names: a dry run changes nothing, so it evicts nothing.
      const body = await send({ method: 'DELETE', url, names: [], headers: revisionHeader(wanted.revision) })
      if (!isWire(body) || typeof body['deletable'] !== 'boolean') throw unknownSignature(url, body)
      const { deletable, references } = body
      return { deletable, references: Array.isArray(references) ? references : [] }
    },
    async call(action, ...[input]) {
      const response = await actionCall(action, input ?? {})
      return action.answer === 'text' ? trusted(await response.text()) : trusted(await readBody(response))
    },
    callForToken: (action, ...[input]) =>
      replaceToken(async () => trusted(await readBody(await actionCall(action, input ?? {}, true)))),
    async file(action, ...[input]) {
      const response = await actionCall(action, { ...input, ignoreCache: true })
      try {
        return await response.blob()
      } catch {
        throw new ApiError('Error retrieving file', {
          status: response.status,
          code: 'unknown',
          url: response.url,
        })
      }
    },
    async upload(action, input) {
      const [path] = action.paths
      const url = address(path, input.params, searchParams(input.query ?? {}))
      const answer = await uploadFile({ url, method: action.method, input, wiring })
      await wiring.cache.evict([...namesOfPath(path), ...(action.evicts ?? [])])
      return trusted(answer)
    },
    cache: wiring.cache,
    loading: wiring.loading,
  }
}

const noSession: ReplaceToken = () => Promise.reject(new Error('There is no session to go on with'))

interface LooseInput {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal | undefined
  ignoreCache?: boolean | undefined
  keepalive?: boolean | undefined
  revision?: number
}

function cacheOptions(
  read: Pick<ReadOptions, 'signal' | 'ignoreCache'>,
): Pick<Call, 'signal' | 'ignoreCache'> {
  return { signal: read.signal, ignoreCache: read.ignoreCache }
}

function shownNames(resource: Resource, included: readonly string[] = []): string[] {
  const relations = included.map(name => resource.included[name]?.resource ?? name)
  return [...new Set([resource.name, ...namesOfPath(resource.paths[0], relations)])]
}

function revisionHeader(revision: number | undefined): Record<string, string> {
  return revision === undefined ? {} : { 'x-revision': String(revision) }
}

function pageOf<T>(body: unknown, url: string): Page<T> {
  const rows = Array.isArray(body) ? body : isWire(body) ? body['data'] : undefined
  if (!Array.isArray(rows)) throw unknownSignature(url, body)
  const included = isWire(body) && Array.isArray(body['included']) ? body['included'].filter(isWire) : []
  const pagination = isWire(body) && isWire(body['pagination']) ? body['pagination'] : {}
  return {
    data: trusted(mergeIncluded(rows.filter(isWire), included)),
    pagination: {
      limit: Number(pagination['limit'] ?? rows.length),
      offset: Number(pagination['offset'] ?? 0),
      total: Number(pagination['total'] ?? rows.length),
    },
  }
}

/** Extracts a single record, flat or as `{data, included}`. */
function recordOf<T>(body: unknown, url: string): T {
  if (!isWire(body)) throw unknownSignature(url, body)
  const record = isWire(body['data']) ? body['data'] : body
  const included = Array.isArray(body['included']) ? body['included'].filter(isWire) : []
  return trusted(mergeIncluded([record], included)[0])
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw unknownSignature(response.url, text)
  }
}

function unknownSignature(url: string, body: unknown): ApiError {
  return new ApiError('Unknown response signature', { status: 200, code: 'unknown', url, body })
}

/**
 * The only place where responses get their type: the server uses the same contract, and its conformance suite checks
 * them.
 */
function trusted<T>(value: unknown): T {
  return value as T
}

function toRecord(value: unknown): Record<string, unknown> {
  return isWire(value) ? value : {}
}

function toParams(value: unknown): PathParams {
  const entries = Object.entries(toRecord(value))
  return Object.fromEntries(
    entries.map(([name, part]) => [name, typeof part === 'number' ? part : String(part)]),
  )
}

function isList(ids: Id | readonly Id[]): ids is readonly Id[] {
  return Array.isArray(ids)
}
