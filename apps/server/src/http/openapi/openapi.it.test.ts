import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { actions } from '@emma/contract/action-list.ts'
import { areas } from '@emma/contract/areas.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { createSchema, recordSchema } from '@emma/contract/resource-schemas.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { pathForm } from './build-openapi.ts'
import { isObject, type Schema } from './json-schema.ts'

/** Routes that were mounted, reported by Fastify's diagnostics. */
const mounted: { method: string; url: string }[] = []

function listenToRoutes(message: unknown): void {
  made.parse(message).fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) mounted.push({ method: each, url })
  })
}

const made = z.object({ fastify: z.custom<FastifyInstance>() })

let app: TestApp
let described: Schema
beforeAll(async () => {
  subscribe('fastify.initialization', listenToRoutes)
  app = await startTestApp()
  unsubscribe('fastify.initialization', listenToRoutes)
  described = (await app.call('GET', '/openapi.json')).json
})
afterAll(() => app.close())

function operations(): { call: string; operation: Schema }[] {
  return entries(described.paths).flatMap(([path, item]) =>
    entries(item).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${pathForm(path)}`,
      operation: isObject(operation) ? operation : {},
    })),
  )
}

function entries(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function identitiesOf({ paths }: Schema): unknown[] {
  return entries(paths).flatMap(([path, item]) =>
    entries(item).map(([method, operation]) => [path, method, isObject(operation) && operation.operationId]),
  )
}

function operationOf(call: string): Schema {
  const found = operations().find(each => each.call === call)
  if (!found) throw new Error(`${call} is not described`)
  return found.operation
}

function parametersOf(call: string): unknown[] {
  const { parameters } = operationOf(call)
  return Array.isArray(parameters) ? parameters : []
}

test('an independent validator accepts it as OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(described))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(validator.version).toBe('3.1')
})

test('the page reads the same operations as OpenAPI 3.0, which an independent validator accepts', async () => {
  const { json, text } = await app.call('GET', '/docs/openapi.json')
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(json))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(validator.version).toBe('3.0')
  expect(identitiesOf(json)).toEqual(identitiesOf(described))
  expect(text).not.toMatch(/"type":(?:"null"|\[)|"exclusiveMinimum":-?\d|"propertyNames":|"const":/)
})

test('every reference resolves, and operation ids are unique', () => {
  const missing = [...JSON.stringify(described).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    .map(([, path = '']) => path)
    .filter(
      path =>
        path.split('/').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), described) ===
        undefined,
    )
  expect(missing).toEqual([])
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every mounted route is described, and vice versa', () => {
  const there = new Set(
    mounted
      .filter(({ method, url }) => url.startsWith('/api') && method !== 'HEAD' && method !== 'OPTIONS')
      .map(({ method, url }) => `${method} ${pathForm(contractPath(url))}`),
  )
  const told = new Set(operations().map(({ call }) => call))
  expect({
    undescribed: [...there].filter(call => !told.has(call)).toSorted(),
    notThere: [...told].filter(call => !there.has(call)).toSorted(),
  }).toEqual({ undescribed: [], notThere: [] })
})

/** `/api/x/:id` → `/x/{id}`; doubled colons are colons. */
function contractPath(url: string): string {
  return url
    .slice('/api'.length)
    .replaceAll('::', '\u0001')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace('*', '{path}')
    .replaceAll('\u0001', ':')
}

test('a list has all its parameters', () => {
  for (const resource of resources) {
    const names = parametersOf(`GET ${pathForm(resource.paths[0])}`).map(each => isObject(each) && each.name)
    const filters = [...Object.keys(resource.filters), resource.key].map(name => `${name}[]`)
    expect(names).toEqual(
      expect.arrayContaining([
        'limit',
        'offset',
        'skip',
        'page',
        'pagesize',
        'distinct',
        'orderby',
        'desc',
        'sortkey',
        'sortdesc',
        ...filters,
      ]),
    )
    const sort = parametersOf(`GET ${pathForm(resource.paths[0])}`).find(
      each => isObject(each) && each.name === 'orderby',
    )
    expect(sort).toMatchObject({ schema: { enum: expect.arrayContaining([...resource.sort, resource.key]) } })
  }
})

test('describes permissions, revisions, sessions, errors and areas', () => {
  const change = operationOf('PATCH /emma/mailclass/{}')
  expect(change).toMatchObject({ 'x-permission': 'EmmaMailclass:patch', tags: ['deliverability'] })
  expect(change.parameters).toContainEqual({ $ref: '#/components/parameters/XRevision' })
  expect(change.responses).toMatchObject({ 200: {}, 401: {}, 403: {}, 409: {}, 422: {} })
  expect(operationOf('POST /auth/login').security).toEqual([])
  expect(operationOf('POST /emma/domain/{}/verify')['x-permission']).toBe('EmmaDomain:patch')
  const tags = entries({ ...described }).find(([key]) => key === 'tags')?.[1]
  for (const { operation } of operations())
    expect(tags).toContainEqual({ name: Array.isArray(operation.tags) ? operation.tags[0] : null })
  expect(areas).toEqual(expect.arrayContaining(actions.map(action => action.area)))
})

test('every permission that an action needs is described', () => {
  for (const { method, paths, permission, alsoNeeds } of actions)
    for (const path of paths) {
      const operation = operationOf(`${method} ${pathForm(path)}`)
      expect({ path, permission: operation['x-permission'], alsoNeeds: operation['x-also-needs'] }).toEqual({
        path,
        permission: permission === 'public' || permission === null ? undefined : permission,
        alsoNeeds,
      })
    }
  expect(operationOf('GET /emma/report/{}/recipients')['x-also-needs']).toEqual(['EmmaMember:get'])
})

test('describes a call with its response status', () => {
  const statusOf = (call: string) => Object.keys(operationOf(call).responses ?? {})[0]
  expect(statusOf('POST /v2/dataupload')).toBe('201')
  expect(statusOf('DELETE /v2/emma/client/{}/membertable/{}/member/{}')).toBe('204')
  for (const { method, paths, status = 200 } of actions)
    expect({ paths, status: statusOf(`${method} ${pathForm(paths[0])}`) }).toEqual({
      paths,
      status: String(status),
    })
})

test('describes the rejection of uploads while the disk is almost full', () => {
  expect(operationOf('POST /v2/dataupload').responses).toMatchObject({
    507: { $ref: '#/components/responses/Error507' },
  })
  expect(described.components).toMatchObject({
    responses: { Error507: { description: expect.stringContaining('disk') } },
  })
})

test('describes an upload with its parts, and records as JSON and multipart', () => {
  expect(contentOf('POST /v2/dataupload')).toEqual({
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          data: expect.objectContaining({
            type: 'object',
            additionalProperties: false,
            properties: expect.objectContaining({
              member_table_id: expect.anything(),
              mapping: expect.anything(),
            }),
          }),
          file: expect.objectContaining({ type: 'string', contentMediaType: 'application/octet-stream' }),
        },
      },
      encoding: {
        data: { contentType: 'application/json' },
        file: { contentType: 'application/octet-stream' },
      },
    },
  })
  expect(Object.keys(contentOf('POST /emma/mailclass'))).toEqual(['application/json', 'multipart/form-data'])
  expect(contentOf('POST /emma/mailclass')).toMatchObject({
    'multipart/form-data': { schema: { $ref: '#/components/schemas/RecordParts' } },
  })
  expect(Object.keys(contentOf('POST /auth/login'))).toEqual(['application/json'])
})

function contentOf(call: string): Schema {
  const { requestBody } = operationOf(call)
  return isObject(requestBody) && isObject(requestBody.content) ? requestBody.content : {}
}

test('rejects a body of a type that is not described', { timeout: 120_000 }, async () => {
  const { token } = await app.logIn({ clients: [], superadmin: true })
  const parts = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
  // Routes declare whether they accept multipart; the body parser rejects it elsewhere.
  const ofRoute = { 'multipart/form-data; boundary=x': parts }
  const all = {
    ...ofRoute,
    'text/xml': '<a/>',
    'text/plain': '{}',
    'application/x-www-form-urlencoded': 'a=b',
  }
  const withAll = ['POST /emma/mailclass', 'PATCH /user/{}', 'POST /v2/dataupload', 'POST /auth/login']
  const wrong: unknown[] = []
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    for (const { call } of operations().filter(({ call: each }) => each.startsWith(`${method} `)))
      for (const [type, payload] of Object.entries(withAll.includes(call) ? all : ofRoute)) {
        const isTaken = Object.keys(contentOf(call)).some(each => type.startsWith(each))
        const path = call.slice(method.length + 1).replaceAll('{}', '999999')
        const sent = { token, payload, headers: { 'content-type': type } }
        const { status, text } = await app.call(method, path, sent)
        const isRefused = status === 415 && text.includes('nsupported')
        if (isRefused === isTaken) wrong.push({ call, type, status, text: text.slice(0, 200) })
      }
  expect(wrong).toEqual([])
  expect(operations().map(({ call }) => call)).toEqual(expect.arrayContaining(withAll))
  const type = 'multipart/form-data; boundary=x'
  const sent = { token, payload: parts, headers: { 'content-type': type } }
  expect(await app.call('POST', '/nowhere', sent)).toMatchObject({ status: 404, json: { code: 'not_found' } })
})

test('examples match what the server accepts and returns', () => {
  let tested = 0
  for (const resource of resources) {
    const created = bodyExample(operationOf(`POST ${pathForm(resource.paths[0])}`))
    if (created === undefined) continue
    expect({ resource: resource.name, error: createSchema(resource).safeParse(created).error }).toEqual({
      resource: resource.name,
      error: undefined,
    })
    tested += 1
  }
  expect(tested).toBeGreaterThan(resources.length * 0.8)
  const schemas = new Map(
    entries(described.components)
      .find(([key]) => key === 'schemas')
      ?.slice(1)
      .flatMap(entries),
  )
  const mailclass = resources.find(({ name }) => name === 'mailclass')
  const shown = schemas.get('Mailclass')
  expect(
    mailclass &&
      isObject(shown) &&
      Array.isArray(shown.examples) &&
      recordSchema(mailclass).safeParse(shown.examples[0]).success,
  ).toBe(true)
})

function bodyExample({ requestBody }: Schema): unknown {
  const content =
    isObject(requestBody) && isObject(requestBody.content) ? requestBody.content['application/json'] : null
  return isObject(content) ? content.example : undefined
}

test('is cached by browsers, and revalidated', async () => {
  const first = await app.call('GET', '/openapi.json')
  const etag = String(first.headers.etag)
  const again = await app.call('GET', '/openapi.json', { headers: { 'if-none-match': etag } })
  expect(again).toMatchObject({ status: 304, text: '' })
})

test('the page contains no inline script, and serves no other files', async () => {
  const page = await app.call('GET', '/docs')
  expect(page.text).not.toMatch(/<script>|<style|onload=/)
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  for (const [, path = ''] of page.text.matchAll(/(?:src|href)="\/api(\/docs\/[^"]+)"/g))
    expect(await app.call('GET', path)).toMatchObject({ status: 200 })
  for (const wrong of ['package.json', '..%2Fpackage.json', 'constructor', '__proto__'])
    expect(await app.call('GET', `/docs/${wrong}`)).toMatchObject({ status: 404 })
})
