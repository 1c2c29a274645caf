import { setTimeout as sleep } from 'node:timers/promises'
import {
  bulkDocuments,
  document as documentSchema,
  documentEndpoints,
  documentQuery,
  isDocumentEndpoint,
} from '@emma/contract/actions/documents.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Method } from '@emma/contract/permissions.ts'
import { assertPlain } from '@emma/core/documents/assert-plain.ts'
import * as extras from '@emma/core/documents/document-extras.ts'
import { badDocumentRequest, DocumentError } from '@emma/core/documents/document-error.ts'
import { findDocuments } from '@emma/core/documents/find-documents.ts'
import { listChanges, listDocuments } from '@emma/core/documents/list-documents.ts'
import * as documents from '@emma/core/documents/read-documents.ts'
import { type IncomingDocument, writeDocuments } from '@emma/core/documents/write-documents.ts'
import { type Actor, can, scopeOf } from '@emma/core/resource/actor.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { POLL_LIMITS } from '../../network/limits.ts'
import { PlaceLimit } from '../../network/concurrency-limit.ts'
import { acceptBasicToken } from '../basic-token.ts'
import type { Http } from '../http.ts'
import { bodyLimitOf } from '../mount-action.ts'
import { parseId } from '../parse.ts'
import { readActor } from '../read-actor.ts'
import { presentDocumentError } from './document-errors.ts'
import * as wanted from './document-parameters.ts'

interface DocumentCall {
  actor: Actor
  database: documents.DocumentDatabase
  /** Reading needs the permission; writing is limited to superadmins, the users of the system area (T2). */
  may: (method: Method) => boolean
  params: Partial<Record<string, string>>
  query: unknown
  /** Checked to be plain JSON; handlers check its shape. */
  body: unknown
  request: FastifyRequest
  reply: FastifyReply
}

type Handler = (call: DocumentCall) => Promise<unknown>

/**
 * Mounts the document store in CouchDB's format (R300): with a session (T30), a database per client and endpoint,
 * errors as `{error, reason}`. Tools that only support Basic authentication send a token as password.
 */
export function mountDocumentActions(http: Http): void {
  const closing = new AbortController()
  http.app.addHook('preClose', async () => closing.abort())
  void http.app.register(async scope => {
    scope.setErrorHandler(presentDocumentError)
    acceptBasicToken(scope)
    const places = new PlaceLimit({ total: POLL_LIMITS.total, perKey: POLL_LIMITS.perUser })
    mountReads(http, scope, { places, closing: closing.signal })
    mountWrites(http, scope)
  })
}

/** Open long polls: their limit, and when they end. */
interface Polls {
  places: PlaceLimit
  closing: AbortSignal
}

function mountReads(http: Http, scope: FastifyInstance, polls: Polls): void {
  const { db } = http
  const get = route(http, scope, 'GET')
  const post = route(http, scope, 'POST')

  get('', ({ database }) => documents.readDatabase(db, database))
  get('/_all_docs', ({ database, query }) => listDocuments(db, database, wanted.allDocs.parse(query)))
  post('/_all_docs', ({ database, query, body }) =>
    listDocuments(db, database, { ...wanted.allDocs.parse(query), ...wanted.keys.parse(body) }),
  )
  get('/_changes', call => changes(http, call, undefined, polls))
  post('/_changes', call => changes(http, call, wanted.ids.parse(call.body).doc_ids, polls))
  post('/_find', ({ database, body }) => findDocuments(db, database, documentQuery.parse(body)))
  post('/_bulk_get', ({ database, query, body }) =>
    documents.readManyDocuments(db, database, wanted.bulkGet.parse(body).docs, wanted.revisions.parse(query)),
  )
  post('/_revs_diff', ({ database, body }) =>
    documents.missingRevisions(db, database, wanted.offeredRevisions.parse(body)),
  )
  get('/_index', ({ database }) => extras.listIndexes(db, database))
  get('/_local/:document', ({ database, params }) => extras.readLocal(db, database, params.document ?? ''))
  get('/:document', async ({ database, params, query }) => {
    const { open_revs: open, ...options } = wanted.revisions.parse(query)
    const id = params.document ?? ''
    if (open === undefined) return documents.readDocument(db, database, id, options)
    const row = (await documents.readRows(db, database, [id])).get(id)
    const leaves = row?.leaves ?? []
    const revs = open === 'all' ? leaves.map(({ rev }) => rev) : open
    return revs.map(rev => {
      const leaf = row && documents.leafOf(row, { ...options, rev })
      return row && leaf ? { ok: documents.present(row, leaf, options) } : { missing: rev }
    })
  })
}

function mountWrites(http: Http, scope: FastifyInstance): void {
  const { db } = http
  const post = route(http, scope, 'POST')
  const put = route(http, scope, 'PUT')
  const remove = route(http, scope, 'DELETE')

  put('', async () => {
    throw new DocumentError(412, 'file_exists', 'The database exists already.')
  })
  remove('', async () => {
    throw new DocumentError(403, 'forbidden', 'Databases are not deleted.')
  })
  post('', ({ body, ...call }) => writeOne(http, call, documentSchema.parse(body)))
  post('/_bulk_docs', async ({ actor, database, body, may, reply }) => {
    const { docs, new_edits: isNewEdit = true } = bulkDocuments.parse(body)
    const results = await writeDocuments(db, actor, database, docs, { may, isNewEdit })
    return reply.status(201).send(results)
  })
  put('/:document', ({ body, ...call }) => {
    const { rev, new_edits } = wanted.revisions.parse(call.query)
    const given = documentSchema.parse(body)
    const _rev = rev ?? ifMatch(call.request) ?? given._rev
    const document = { ...given, _id: call.params.document, _rev }
    return writeOne(http, call, document, new_edits !== false)
  })
  remove('/:document', ({ params, query, ...call }) => {
    const _rev = wanted.revisions.parse(query).rev ?? ifMatch(call.request)
    return writeOne(http, call, { _id: params.document, _rev, _deleted: true }, true, 200)
  })
  put('/_local/:document', async ({ database, params, body, may, reply }) => {
    assertMay(may('patch'))
    const made = await extras.writeLocal(db, database, params.document ?? '', documentFields(body))
    return reply.status(201).send(made)
  })
  remove('/_local/:document', ({ database, params, may }) => {
    assertMay(may('patch'))
    return extras.removeLocal(db, database, params.document ?? '')
  })
  post('/_index', ({ database, body, may }) => {
    assertMay(may('patch'))
    const { index, ...names } = wanted.newIndex.parse(body)
    return extras.createIndex(db, database, { ...names, ...index })
  })
  remove('/_index/:ddoc/json/:name', ({ database, params, may }) => {
    assertMay(may('patch'))
    return extras.removeIndex(db, database, params.ddoc ?? '', params.name ?? '')
  })
  // CouchDB's maintenance calls, which happen automatically here.
  post('/_compact', async ({ reply }) => reply.status(202).send({ ok: true }))
  post('/_ensure_full_commit', async ({ reply }) =>
    reply.status(201).send({ ok: true, instance_start_time: '0' }),
  )
}

/** Mounts a database route: session → client → read permission → body. */
function route({ ...http }: Http, scope: FastifyInstance, method: 'GET' | 'POST' | 'PUT' | 'DELETE') {
  return (path: string, handler: Handler): void => {
    scope.route({
      method,
      url: `/api/documents/:client_id/:endpoint${path}`,
      bodyLimit: bodyLimitOf(http.config, true),
      config: { isPublic: false },
      async handler(request, reply) {
        const { actor } = await readActor(http, request)
        const params = wanted.pathParameters.parse(request.params)
        const clientId = parseId(params.client_id)
        scopeOf(actor, clientId)
        const { endpoint } = params
        if (endpoint === undefined || !isDocumentEndpoint(endpoint)) throw new EmmaError('not_found')
        const entity = documentEndpoints[endpoint]
        assertMay(can(actor, `${entity}:get`))
        // Two levels more than a document: bulk bodies contain them in a list.
        assertPlain(request.body, 36)
        return handler({
          actor,
          database: { clientId, endpoint },
          may: right => actor.superadmin && can(actor, `${entity}:${right}`),
          params,
          query: request.query,
          body: request.body,
          request,
          reply,
        })
      },
    })
  }
}

async function writeOne(
  { db }: Http,
  { actor, database, may, reply }: Pick<DocumentCall, 'actor' | 'database' | 'may' | 'reply'>,
  document: IncomingDocument,
  isNewEdit = true,
  status = 201,
): Promise<unknown> {
  const [result] = await writeDocuments(db, actor, database, [document], { may, isNewEdit })
  if (result?.error !== undefined)
    throw new DocumentError(statusOf[result.error] ?? 400, result.error, result.reason ?? '')
  return reply.status(status).send(result ?? { ok: true, id: document._id, rev: document._rev })
}

const statusOf: Partial<Record<string, number>> = { conflict: 409, forbidden: 403 }

/** Milliseconds between two polls. */
const pollEvery = 1_000

async function changes(
  { db }: Http,
  { actor, database, query, request }: DocumentCall,
  ids: string[] | undefined,
  { places, closing }: Polls,
): Promise<unknown> {
  const { timeoutMs } = POLL_LIMITS
  const { feed, timeout = timeoutMs, style, doc_ids, since, ...options } = wanted.changes.parse(query)
  const ask = { ...options, since, allLeaves: style === 'all_docs', ids: ids ?? doc_ids }
  const end = Date.now() + Math.min(timeout, timeoutMs)
  let found = await listChanges(db, database, ask)
  if (feed !== 'longpoll' || found.results.length > 0) return found
  const release = places.take(String(actor.userId))
  if (!release) throw new EmmaError('busy')
  try {
    while (found.results.length === 0 && Date.now() < end) {
      if (closing.aborted || request.raw.destroyed) break
      await sleep(pollEvery, undefined, { signal: closing }).catch(() => {})
      found = await listChanges(db, database, { ...ask, since: found.last_seq })
    }
    return found
  } finally {
    release()
  }
}

function assertMay(isAllowed: boolean): void {
  if (!isAllowed) throw new EmmaError('forbidden')
}

function ifMatch(request: FastifyRequest): string | undefined {
  return request.headers['if-match']?.replaceAll('"', '')
}

function documentFields(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badDocumentRequest('Document must be a JSON object')
  return { ...body }
}
