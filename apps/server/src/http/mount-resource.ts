import type { Resource } from '@emma/contract/define-resource.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { flag } from '@emma/contract/fields.ts'
import { type ListQuery, parseListQuery, parseRecordQuery } from '@emma/contract/list-query.ts'
import { isReserved } from '@emma/contract/is-reserved.ts'
import type { Method, Permission } from '@emma/contract/permissions.ts'
import { createSchema, patchSchema } from '@emma/contract/resource-schemas.ts'
import {
  type Actor,
  can,
  canAccessClient,
  accessibleClients,
  scopeOf,
  type TenantScope,
} from '@emma/core/resource/actor.ts'
import type { Fields, Operations } from '@emma/core/resource/operations.ts'
import { restoreRecord } from '@emma/core/resource/restore-record.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fastifyPath } from './fastify-path.ts'
import type { Http } from './http.ts'
import { asJsonApi } from './json-api.ts'
import { bodyLimitOf, clientOf } from './mount-action.ts'
import { parseBody, parseId, parseQuery } from './parse.ts'
import { readActor } from './read-actor.ts'
import { readMultipart } from './read-multipart.ts'

/** Unparsed parts of a request besides its body. */
interface Route {
  Params: Partial<Record<string, string>>
  Querystring: Record<string, unknown>
}

/** The other resources, for included records. */
export type OperationsTable = ReadonlyMap<string, { resource: Resource; operations: Operations }>

/**
 * Mounts the routes of one resource: authenticate → permission → parse → operation → present. GET list, GET one,
 * POST, PATCH, PUT (PATCH with missing fields reset), DELETE (`?test`: dry run), POST …/restore.
 */
export function mountResource(
  http: Http,
  resource: Resource,
  operations: Operations,
  table: OperationsTable,
): void {
  const { app, db } = http
  const create = createSchema(resource)
  const change = patchSchema(resource)
  const bodyLimit = bodyLimitOf(http.config, resource.largeBody === true)
  const presented = { preSerialization: asJsonApi(resource), bodyLimit, config: { isPublic: false } }
  const written = { ...presented, config: { isPublic: false, takesMultipart: true } }

  async function allow(request: FastifyRequest<Route>, method: Method): Promise<Actor> {
    const { actor } = await readActor(http, request)
    assertAllowed(resource, actor, method)
    return actor
  }

  /** The fields a caller may read: all with the permission, otherwise the public fields of the own clients. */
  async function reader(
    request: FastifyRequest<Route>,
  ): Promise<{ actor: Actor; shown: (row: Fields) => Fields }> {
    const { actor } = await readActor(http, request)
    const { openFields } = resource
    if (openFields && !can(actor, `${resource.entity}:get`))
      return { actor, shown: row => Object.fromEntries(openFields.map(field => [field, row[field]])) }
    assertAllowed(resource, actor, 'get')
    return { actor, shown: row => row }
  }

  for (const path of resource.paths) {
    const base = fastifyPath(path)

    app.get<Route>(base, presented, async request => {
      const { actor, shown } = await reader(request)
      const wanted = parseListQuery(resource, request.query)
      const scope = listScope(resource, actor, request, wanted)
      const { client_id: _scope, ...filters } = wanted.filters
      const narrowed = resource.tenant ? { ...wanted, filters } : wanted
      const isSlow = wanted.search !== null || Object.keys(filters).length > 0
      const page = isSlow
        ? await http.slowReads.run(clientOf(actor, request.params), slowSql =>
            operations.list(slowSql, actor, scope, narrowed),
          )
        : await operations.list(db, actor, scope, narrowed)
      const included = await include(http, resource, table, actor, scope, page.data, wanted.included)
      return {
        data: page.data.map(row => related(resource, shown(row), wanted.included)),
        included: [...page.included, ...included],
        pagination: { limit: wanted.limit, offset: wanted.offset, total: page.total },
      }
    })

    app.get<Route>(`${base}:record_id`, presented, async request => {
      const { actor, shown } = await reader(request)
      const scope = recordScope(actor, request)
      const names = parseRecordQuery(resource, request.query)
      const record = shown(await operations.find(db, actor, scope, recordId(request)))
      if (names.length === 0) return record
      return {
        data: related(resource, record, names),
        included: await include(http, resource, table, actor, scope, [record], names),
      }
    })

    app.post<Route>(base, written, async (request, reply) => {
      const actor = await allow(request, 'post')
      const client = pathClient(actor, request)
      const input = parseBody(create, await bodyOf(request, bodyLimit))
      assertBodyClient(actor, client, input)
      const record = await operations.create(db, actor, client, input)
      return reply.status(201).send(record)
    })

    const write = (isWhole: boolean) => async (request: FastifyRequest<Route>) => {
      const actor = await allow(request, 'patch')
      const scope = recordScope(actor, request)
      // PUT has the whole record: required fields must be present.
      const input = parseBody(isWhole ? create : change, await bodyOf(request, bodyLimit))
      assertBodyClient(actor, null, input)
      return operations.patch(db, actor, scope, recordId(request), input, {
        revision: revisionOf(request),
        whole: isWhole,
      })
    }
    app.patch<Route>(`${base}:record_id`, written, write(false))
    app.put<Route>(`${base}:record_id`, written, write(true))

    app.delete<Route>(`${base}:record_id`, presented, async (request, reply) => {
      const actor = await allow(request, 'delete')
      const scope = recordScope(actor, request)
      const { test } = request.query
      if (test !== undefined && parseQuery(dryRun, { test }).test) {
        // A dry run must not reveal records that the caller cannot find.
        await operations.find(db, actor, scope, recordId(request))
        return operations.removal(db, actor, scope, recordId(request))
      }
      await operations.remove(db, actor, scope, recordId(request), { revision: revisionOf(request) })
      return reply.status(204).send()
    })

    if (resource.deletedForEver) continue
    app.post<Route>(`${base}:record_id/restore`, presented, async request => {
      const actor = await allow(request, 'delete')
      return restoreRecord(db, operations, actor, recordScope(actor, request), recordId(request))
    })
  }
}

export function assertAllowed(resource: Resource, actor: Actor, method: Method): void {
  const permission: Permission = `${resource.entity}:${method}`
  if (!can(actor, permission) || (isReserved(resource, method) && !actor.superadmin))
    throw new EmmaError('forbidden')
}

const dryRun = z.object({ test: flag })

/** A list has the client of the path, the requested ones, or the active one; with `superadminview` all (R149). */
function listScope(
  resource: Resource,
  actor: Actor,
  request: FastifyRequest<Route>,
  query: ListQuery,
): TenantScope {
  if (!resource.tenant) return accessibleClients(actor)
  const client = pathClient(actor, request)
  const wanted = (query.filters.client_id ?? []).map(Number)
  if (!wanted.every(id => canAccessClient(actor, id))) throw new EmmaError('not_found')
  if (client !== null) return { clientIds: [client] }
  if (query.superadminview && actor.superadmin) return { clientIds: 'all' }
  if (wanted.length > 0) return { clientIds: wanted }
  return { clientIds: actor.clientId === null ? [] : [actor.clientId] }
}

function recordScope(actor: Actor, request: FastifyRequest<Route>): TenantScope {
  const client = pathClient(actor, request)
  return client === null ? accessibleClients(actor) : { clientIds: [client] }
}

/** The `{client_id}` of a path, if it has one. Throws `not_found` for a foreign one. */
function pathClient(actor: Actor, request: FastifyRequest<Route>): number | null {
  const { client_id: text } = request.params
  if (text === undefined) return null
  const id = parseId(text)
  scopeOf(actor, id)
  return id
}

/** Checks that a `client_id` in the body is accessible, and the one of the path if there is one. */
function assertBodyClient(actor: Actor, pathClientId: number | null, { client_id: wanted }: Fields): void {
  if (typeof wanted !== 'number') return
  scopeOf(actor, wanted)
  if (pathClientId !== null && pathClientId !== wanted)
    throw invalid([fieldError('client_id', 'field.other_client')])
}

/** Reads included records: only of resources the actor may read (R165). */
async function include(
  http: Http,
  resource: Resource,
  table: OperationsTable,
  actor: Actor,
  scope: TenantScope,
  rows: readonly Fields[],
  names: readonly string[],
): Promise<Fields[]> {
  const groups = await Promise.all(
    names.map(async name => {
      const { resource: other, via } = resource.included[name] ?? { resource: '', via: '' }
      const found = table.get(other)
      if (!found || !can(actor, `${found.resource.entity}:get`)) return []
      const ids = [...new Set(rows.map(row => row[via]).filter(id => typeof id === 'number'))]
      if (ids.length === 0) return []
      const records = await found.operations.list(http.db, actor, scope, {
        limit: ids.length,
        offset: 0,
        search: null,
        sort: null,
        filters: { [found.resource.key]: ids },
        included: [],
        superadminview: false,
      })
      // Fields separate from type and id: a resource may have fields of those names (docs/adr/0007).
      return records.data.map(record => ({ type: other, id: record[found.resource.key], attributes: record }))
    }),
  )
  return groups.flat()
}

/** Adds references to the included records (R165). */
function related(resource: Resource, row: Fields, names: readonly string[]): Fields {
  if (names.length === 0) return row
  const pointers = names.flatMap(name => {
    const { resource: type, via } = resource.included[name] ?? { resource: '', via: '' }
    return typeof row[via] === 'number' ? [[name, { data: { type, id: row[via] } }] as const] : []
  })
  return { ...row, relationships: Object.fromEntries(pointers) }
}

/** JSON as parsed, or the JSON parts of a multipart body (R162). */
async function bodyOf(request: FastifyRequest<Route>, limit: number): Promise<unknown> {
  return request.isMultipart() ? readMultipart(request, limit) : request.body
}

function recordId(request: FastifyRequest<Route>): number {
  return parseId(request.params.record_id)
}

/** Parses X-Revision (R163): an integer, or empty. Anything else is invalid. */
export function revisionOf(request: Pick<FastifyRequest, 'headers'>): number | null {
  const text = request.headers['x-revision']
  if (text === undefined || text === '') return null
  const revision = Number(text)
  if (!Number.isInteger(revision)) throw new EmmaError('faulty_revision')
  return revision
}
