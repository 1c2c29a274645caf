import { Readable } from 'node:stream'
import { fileTypes, isFileType } from '@emma/contract/file-storage.ts'
import { findServed, type ServedFile } from '@emma/core/files/read-files.ts'
import { contentKey, type FileStorage, thumbnailKey } from '@emma/core/files/store-file.ts'
import type { Db } from '@emma/db/connection.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createBoundedMap } from '../bounded-map.ts'

/** Files that are kept in memory, without their contents. */
const KEPT_FILES = 20_000

/** No scripts, no further content; browsers style the page around an image inline. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** A file and its content under one public URL. */
interface Content {
  key: string
  type: string
  etag: string
  /** Null: only the storage knows it. */
  size: number | null
}

/**
 * Serves files under their public URLs: no session, unguessable names, cached for ever by anybody. A replaced file has
 * a new URL. Deleted files are served until they are purged.
 */
export function mountFiles(app: FastifyInstance, db: Db, storage: FileStorage): void {
  const files = createBoundedMap<ServedFile>(KEPT_FILES)
  const find = (clientId: number, name: string) =>
    files.get(`${clientId}/${name}`, () => findServed(db, clientId, name))

  app.get<{ Params: { client: string; name: string } }>('/files/:client/:name', async (request, reply) => {
    const { client, name } = request.params
    const parts = /^([\w-]{22})\.(thumb\.webp|\w{3,4})$/.exec(name)
    if (!/^\d{1,15}$/.test(client) || parts === null) return notFound(reply)
    const file = await find(Number(client), parts[1] ?? '')
    const content = file && contentOf(file, parts[2] ?? '')
    return content ? sendContent(storage, content, request, reply) : notFound(reply)
  })
}

function contentOf(file: ServedFile, extension: string): Content | null {
  const { mime_type: type, sha256, size } = file
  if (type === null || !isFileType(type)) return null
  if (extension === 'thumb.webp')
    return file.has_thumbnail
      ? { key: thumbnailKey(file), type: 'image/webp', etag: `"${sha256.slice(0, 32)}-t"`, size: null }
      : null
  if (extension !== fileTypes[type]) return null
  return { key: contentKey(file), type, etag: `"${sha256.slice(0, 32)}"`, size }
}

async function sendContent(
  storage: FileStorage,
  { key, type, etag, size }: Content,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply
    .type(type)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('etag', etag)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', CONTENT_POLICY)
    .header('cross-origin-resource-policy', 'cross-origin')
    // Browsers open no PDF in a sandbox.
    .header('content-disposition', type === 'application/pdf' ? 'attachment' : 'inline')
  if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()
  if (size !== null) void reply.header('accept-ranges', 'bytes')
  const range = size === null || !isCurrent(request, etag) ? null : rangeOf(request.headers.range, size)
  if (range === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${size}`).send()
  if (range) void reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const length = range ? range.end - range.start + 1 : size
  if (length !== null) void reply.header('content-length', length)
  // An empty stream, because a missing payload would set the length to 0.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const stream = await storage.get(key, range ?? undefined)
  if (stream !== null) return reply.send(stream)
  for (const name of ['content-range', 'content-length', 'etag', 'accept-ranges'])
    void reply.removeHeader(name)
  return notFound(reply)
}

/** The tracking server's page for unknown links. */
function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === '*' || header.split(',').some(each => each.trim().replace(/^W\//, '') === etag)
}

/** If-Range (RFC 9110, 13.1.5): a range of another version would be a mixture. */
function isCurrent({ headers }: FastifyRequest, etag: string): boolean {
  const condition = headers['if-range']
  return condition === undefined || condition === etag
}

/** The one range of a request (RFC 9110, 14.2); null for none, several or another unit, which are answered in full. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'unsatisfiable' : { start: size - suffix, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  return start >= size
    ? 'unsatisfiable'
    : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
