import { Readable } from 'node:stream'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import {
  type ConflictStrategy,
  conflictStrategies,
  FILE_LIMITS,
  sharedStorage,
  type StorageMeta,
  storagePath,
} from '@emma/contract/file-storage.ts'
import type { Method } from '@emma/contract/permissions.ts'
import { tokenPrefix } from '@emma/contract/actions/api-tokens.ts'
import { readApiToken } from '@emma/core/account/api-tokens.ts'
import { readSession } from '@emma/core/account/sessions.ts'
import { clientExists, fileBaseOf } from '@emma/core/files/file-host.ts'
import { type FilePath, insideOf, parseFilePath, toFileName } from '@emma/core/files/file-path.ts'
import * as tree from '@emma/core/files/file-tree.ts'
import { storeFile } from '@emma/core/files/store-file.ts'
import { type Actor, can, scopeOf } from '@emma/core/resource/actor.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FileParts } from '../../files/edit-image.ts'
import { type Presentation, presentMeta, presentRoot } from '../../files/present-file.ts'
import { type IncomingFile, receiveFile, tooLarge } from '../../files/receive-file.ts'
import { API_LIMITS } from '../../network/limits.ts'
import { guardedFetch } from '../../provider/guarded-fetch.ts'
import { acceptBasicToken } from '../basic-token.ts'
import type { Http } from '../http.ts'
import { parseBody } from '../parse.ts'
import { readActor, sessionKey } from '../read-actor.ts'
import { presentStorageError } from './storage-errors.ts'

interface StorageCall {
  actor: Actor
  /** Null for `/`. */
  path: FilePath | null
  request: FastifyRequest
}

const LOGGED = { GET: 'listFiles', POST: 'storeFile', PATCH: 'moveFile', DELETE: 'deleteFile' } as const

/**
 * Mounts the file storage (R302) in the format of Beefree's File System Provider: JSEND, a slash at the end of a path
 * means a folder. Tools that only support Basic authentication send a token as password.
 */
export function mountFileStorage(http: Http, files: FileParts): void {
  void http.app.register(async scope => {
    scope.setErrorHandler(presentStorageError)
    acceptBasicToken(scope)
    mountValidation(http, scope)
    const mount = route(http, scope)

    mount('GET', 'get', async ({ actor, path }) => {
      if (path === null) return listRoots(http, actor)
      if (path.isFolder) return listEntries(http, actor, path)
      const row = await tree.readEntry(http.db, path)
      return { meta: presentMeta(row, await presentationOf(http, actor, path)) }
    })
    mount('POST', 'post', async call => {
      const { actor, path, request } = call
      if (request.isMultipart()) return receiveForm(http, files, call)
      if (path === null) throw new EmmaError('bad_request', fault('file.path'))
      if (!path.isFolder) return fetchSource(http, files, actor, path, request.body)
      await assertClient(http, path.clientId)
      const row = await tree.createFolder(http.db, actor, path)
      return { meta: presentMeta(row, await presentationOf(http, actor, path)) }
    })
    mount('PATCH', 'patch', async ({ actor, path, request }) => {
      const from = entryOf(path)
      const { new_path } = parseBody(moveBody, request.body)
      const target = parseFilePath(from.isFolder && !new_path.endsWith('/') ? `${new_path}/` : new_path)
      if (target === null || target.name === '' || target.isFolder !== from.isFolder)
        throw invalid([fieldError('new_path', 'file.path')])
      const row = await tree.moveEntry(http.db, actor, from, target)
      const count = await tree.countEntries(http.db, target.clientId, insideOf(target))
      return { meta: presentMeta(row, await presentationOf(http, actor, target), count) }
    })
    mount('DELETE', 'delete', async ({ actor, path }) => {
      await tree.removeEntry(http.db, actor, entryOf(path))
      return null
    })
  })
}

const moveBody = z.object({ new_path: z.string().min(1).max(2_000) })

type Handler = (call: StorageCall) => Promise<unknown>

/** Mounts a method on the root and all paths: session → permission → path → access to its client. */
function route(http: Http, scope: FastifyInstance) {
  return (method: keyof typeof LOGGED, right: Method, handler: Handler): void => {
    const root = method === 'GET' || method === 'POST' ? [`/api${storagePath}`] : []
    for (const url of [...root, `/api${storagePath}/*`])
      scope.route({
        method,
        url,
        exposeHeadRoute: false,
        bodyLimit: API_LIMITS.publicBodyBytes,
        config: {
          isPublic: false,
          takesMultipart: method === 'POST',
          action: { name: LOGGED[method], reads: method === 'GET' },
        },
        async handler(request) {
          const { actor } = await readActor(http, request)
          if (!can(actor, `CloudStorage:${right}`)) throw new EmmaError('forbidden')
          const path = parseFilePath(decodedPath(request.url))
          if (path !== null) assertAccess(actor, path.clientId, right)
          return { status: 'success', data: await handler({ actor, path, request }) }
        },
      })
  }
}

/** Everybody reads the shared files; superadmins write them. */
function assertAccess(actor: Actor, clientId: number, right: Method): void {
  if (clientId !== sharedStorage) scopeOf(actor, clientId)
  else if (right !== 'get' && !actor.superadmin) throw new EmmaError('forbidden', fault('file.read_only'))
}

/** The path below the prefix, each segment decoded once; an encoded slash is part of a name, which has none. */
function decodedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  const segments = path.slice(`/api${storagePath}`.length).split('/')
  try {
    return segments.map(segment => decodeURIComponent(segment).replaceAll('/', '\0')).join('/') || '/'
  } catch {
    throw new EmmaError('bad_request', fault('file.path'))
  }
}

function entryOf(path: FilePath | null): FilePath {
  if (path === null || path.name === '') throw new EmmaError('bad_request', fault('file.path'))
  return path
}

async function presentationOf({ db, config }: Http, actor: Actor, path: FilePath): Promise<Presentation> {
  return {
    base: await fileBaseOf(db, path.clientId, config.trackingUrl),
    permissions: isWritable(actor, path.clientId) ? 'rw' : 'ro',
  }
}

function isWritable(actor: Actor, clientId: number): boolean {
  return can(actor, 'CloudStorage:post') && (clientId !== sharedStorage || actor.superadmin)
}

async function listRoots(http: Http, actor: Actor): Promise<{ meta: StorageMeta; items: StorageMeta[] }> {
  const owners = [...(actor.clientId === null ? [] : [actor.clientId]), sharedStorage]
  const items = await Promise.all(
    owners.map(async clientId => {
      const path = { clientId, folder: '/', name: '', isFolder: true }
      const count = await tree.countEntries(http.db, clientId, '/')
      return presentRoot(path, isWritable(actor, clientId) ? 'rw' : 'ro', count)
    }),
  )
  const [first] = items
  if (!first) throw new EmmaError('not_found')
  return { meta: { ...first, name: '', path: '/', permissions: 'ro', 'item-count': items.length }, items }
}

async function listEntries(http: Http, actor: Actor, path: FilePath) {
  const { entries, counts } = await tree.listFolder(http.db, path)
  const presentation = await presentationOf(http, actor, path)
  const inside = insideOf(path)
  const items = entries.map(row => presentMeta(row, presentation, counts.get(`${inside}${row.name}/`)))
  if (path.name === '') return { meta: presentRoot(path, presentation.permissions, items.length), items }
  return { meta: presentMeta(await tree.readEntry(http.db, path), presentation, items.length), items }
}

/** Most files of one request. */
const FILES_AT_ONCE = 10

/**
 * Receives the files of a form: into the folder of the path, or one under the name of the path. Fields before the file:
 * `path` (a folder, where the URL has none) and `conflict_strategy`.
 */
async function receiveForm(http: Http, files: FileParts, { actor, path, request }: StorageCall) {
  let place = path
  let strategy: ConflictStrategy = 'ask'
  const items: StorageMeta[] = []
  const fields = { files: FILES_AT_ONCE, fileSize: FILE_LIMITS.fileBytes + 1 }
  for await (const part of request.parts({ limits: fields })) {
    if (part.type === 'field') {
      if (part.fieldname === 'conflict_strategy') strategy = strategyOf(part.value)
      if (part.fieldname === 'path' && path === null) place = folderOf(actor, part.value)
      continue
    }
    try {
      if (place === null) throw new EmmaError('bad_request', fault('file.path'))
      const name = place.isFolder ? toFileName(part.filename) : place.name
      const incoming = { stream: part.file, name, type: part.mimetype }
      items.push(await receive(http, files, actor, inFolder(place, name), incoming, strategy))
    } catch (error) {
      part.file.resume()
      throw error
    }
    if (!place.isFolder) break
  }
  const [meta] = items
  if (!meta) throw invalid([fieldError('file', 'file.no_file')])
  return items.length === 1 ? { meta } : { meta, items }
}

function strategyOf(value: unknown): ConflictStrategy {
  const strategy = conflictStrategies.find(each => each === value)
  if (!strategy) throw invalid([fieldError('conflict_strategy', 'field.option')])
  return strategy
}

function folderOf(actor: Actor, value: unknown): FilePath | null {
  const text = String(value)
  const place = parseFilePath(text.endsWith('/') ? text : `${text}/`)
  if (place !== null) assertAccess(actor, place.clientId, 'post')
  return place
}

function inFolder(place: FilePath, name: string): FilePath {
  return place.isFolder ? { ...place, folder: insideOf(place), name, isFolder: false } : place
}

async function receive(
  http: Http,
  { storage, images, folder }: FileParts,
  actor: Actor,
  path: FilePath,
  incoming: IncomingFile,
  strategy: ConflictStrategy,
): Promise<StorageMeta> {
  await assertClient(http, path.clientId)
  // Before anything is received.
  await tree.assertRoom(http.db, path, 0)
  const { row, isSkipped } = await receiveFile({ folder, images, clientId: path.clientId }, incoming, file =>
    storeFile(http.db, storage, actor, { ...path, name: file.name }, file, strategy),
  )
  const meta = presentMeta(row, await presentationOf(http, actor, path))
  return isSkipped ? { ...meta, extra: { ...meta.extra, skipped: true } } : meta
}

/** Superadmins may name any number. */
async function assertClient({ db }: Http, clientId: number): Promise<void> {
  if (clientId !== sharedStorage && !(await clientExists(db, clientId))) throw new EmmaError('not_found')
}

const sourceBody = z.object({
  source: z.url({ protocol: /^https?$/ }).max(2_000),
  conflict_strategy: z.enum(conflictStrategies).default('ask'),
})

/** Fetches a file of the editor plugin by its URL, from public addresses only. */
async function fetchSource(http: Http, files: FileParts, actor: Actor, path: FilePath, body: unknown) {
  const { source, conflict_strategy } = parseBody(sourceBody, body)
  const get = guardedFetch('public', { most: FILE_LIMITS.fileBytes + 1 })
  const response = await get(source, { method: 'GET' }).catch(() => null)
  if (!response?.ok) throw invalid([fieldError('source', 'file.source', { url: source })])
  const bytes = Buffer.from(await response.arrayBuffer())
  if (bytes.length > FILE_LIMITS.fileBytes) throw tooLarge()
  const type = response.headers.get('content-type') ?? ''
  const incoming = { stream: Readable.from([bytes]), name: path.name, type }
  return { meta: await receive(http, files, actor, path, incoming, conflict_strategy) }
}

const validationBody = z.object({
  token: z.string().min(1).max(16_000),
  uid: z.union([z.string(), z.number()]),
})

/** Checks a new token of the editor plugin: it must belong to the user who calls. */
function mountValidation(http: Http, scope: FastifyInstance): void {
  scope.route({
    method: 'POST',
    url: `/api${storagePath}/auth`,
    bodyLimit: API_LIMITS.publicBodyBytes,
    config: { isPublic: false, action: { name: 'validateStorageToken', reads: true } },
    async handler(request) {
      const { actor } = await readActor(http, request)
      if (!can(actor, 'CloudStorage:get')) throw new EmmaError('forbidden')
      const { token, uid } = parseBody(validationBody, request.body)
      const owner = token.startsWith(tokenPrefix)
        ? await readApiToken(http.db, token, request.ip)
        : (await readSession(http.db, sessionKey(http.config), token)).actor
      if (owner.userId !== actor.userId || String(owner.userId) !== String(uid))
        throw new EmmaError('token_invalid')
      return { status: 'success', data: { uid: owner.userId } }
    },
  })
}
