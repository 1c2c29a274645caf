import { defineAction } from '@emma/contract/define-action.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import type { ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from './api-error.ts'
import { createClient } from './create-client.ts'
import type { EmmaClient } from './emma-client.ts'
import { type CacheHost, createResponseCache } from './response-cache.ts'
import { createSession } from './session.ts'
import { memoryCaches } from './test/caches.ts'
import { answerJson, type Received, startTestServer, type TestServer } from './test/server.ts'
import { tokenKey } from './token-key.ts'

let server: TestServer
let client: EmmaClient
let caches: CacheHost & { urls(): string[] }
let scope = '1.0.1'
let answer: (call: Received, response: ServerResponse) => void

beforeEach(async () => {
  server = await startTestServer((call, response) => answer(call, response))
  caches = memoryCaches()
  scope = '1.0.1'
  client = createClient({
    apiHost: server.apiHost,
    token: () => 'the-token',
    params: () => ({ client_id: 7 }),
    cache: createResponseCache(() => scope, caches),
    itemsPerPage: 25,
  })
})
afterEach(() => server.close())

const onePage = (rows: unknown[], total = rows.length) => ({
  data: rows,
  included: [],
  pagination: { limit: 25, offset: 0, total },
})

describe('list', () => {
  test('R155 R156 sends filters, search, order and the bearer token, in a fixed order', async () => {
    answer = (_, response) => answerJson(response, onePage([{ mailclass_id: 1, name: 'news' }], 60))
    const page = await client.list(mailclass, {
      filters: { type: ['bulk', 'test'], onlyactive: true, empty: '' },
      search: ' ü ',
      sort: { field: 'name', descending: true },
      offset: 25,
    })
    expect(page.data[0]?.name).toBe('news')
    expect(page.pagination.total).toBe(60)
    const [call] = server.calls
    expect(decodeURIComponent(call?.url ?? '')).toBe(
      '/emma/mailclass/?onlyactive[]=true&type[]=bulk&type[]=test&limit=25&offset=25&search=ü&orderby=name&desc=true',
    )
    expect(call?.headers.authorization).toBe('Bearer the-token')
  })

  test('R165 merges included records by type and id, for numeric and text ids', async () => {
    answer = (_, response) =>
      answerJson(response, {
        data: [{ campagne_id: 1, relationships: { domain: { data: { type: 'domain', id: 3 } } } }],
        included: [{ type: 'domain', id: '3', domain_id: 3, name: 'a.example' }],
        pagination: { limit: 25, offset: 0, total: 1 },
      })
    const page = await client.list(domain, { included: ['domain'] })
    expect(page.data[0]?.['domain']).toMatchObject({ name: 'a.example' })
  })

  test('R156 fetches all rows in pages of 50', async () => {
    answer = ({ url }, response) => {
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0)
      const rows = Array.from({ length: Math.min(50, 120 - offset) }, (_, index) => ({
        mailclass_id: offset + index,
      }))
      answerJson(response, onePage(rows, 120))
    }
    expect(await client.listAll(mailclass)).toHaveLength(120)
    expect(server.calls.map(({ url }) => url.includes('limit=50'))).toEqual([true, true, true])
  })

  test('R317 rejects a response that neither is nor contains a list', async () => {
    answer = (_, response) => answerJson(response, { nothing: true })
    await expect(client.list(mailclass)).rejects.toThrow('Unknown response signature')
  })
})

describe('writes', () => {
  test('R158 R159 R162 R163 R169 send the revision, null for empty text, and compress large bodies', async () => {
    answer = (_, response) => answerJson(response, { mailclass_id: 4, revision: 3 })
    const description = 'words '.repeat(400)
    await client.patch(mailclass, 4, { listid: '', description }, { revision: 2 })
    const [call] = server.calls
    expect(call).toMatchObject({ method: 'PATCH', url: '/emma/mailclass/4' })
    expect(call?.headers['x-revision']).toBe('2')
    expect(call?.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(call?.body ?? '').toString())).toEqual({ listid: null, description })
  })

  test('R162 do not compress small bodies', async () => {
    answer = (_, response) => answerJson(response, { mailclass_id: 4 }, 201)
    await client.create(mailclass, { name: 'news' })
    const [call] = server.calls
    expect(call?.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(String(call?.body))).toEqual({ name: 'news' })
  })

  test('R161 delete several in parallel and report which failed', async () => {
    answer = ({ url }, response) =>
      url.endsWith('/2')
        ? answerJson(response, { error: 'Still in use', code: 'in_use' }, 409)
        : answerJson(response, {})
    const results = await client.remove(mailclass, [1, 2, 3])
    expect(results.map(({ id, error }) => [id, error?.message])).toEqual([
      [1, undefined],
      [2, 'Still in use'],
      [3, undefined],
    ])
  })

  test('R161 DELETE ?test is a dry run', async () => {
    answer = (_, response) => answerJson(response, { deletable: false, references: [{ name: 'Summer' }] })
    expect(await client.testRemove(mailclass, 5)).toEqual({
      deletable: false,
      references: [{ name: 'Summer' }],
    })
    expect(server.calls[0]).toMatchObject({ method: 'DELETE', url: '/emma/mailclass/5?test=' })
  })
})

test('a report of a page that closes is sent before any other task runs', async () => {
  const report = defineAction({
    name: 'report',
    area: 'content',
    method: 'POST',
    paths: ['/report'],
    permission: 'EmmaMessage:patch',
    body: z.object({ closes: z.boolean() }),
    response: z.object({}),
  })
  const sent: RequestInit[] = []
  const closing = createClient({
    apiHost: server.apiHost,
    token: () => 'the-token',
    transport: async (_, init) => {
      sent.push(init)
      return Response.json({})
    },
  })
  const done = closing.call(report, { body: { closes: true }, keepalive: true })
  // The browser drops tasks of the page, but not its microtasks.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  expect(sent).toEqual([expect.objectContaining({ keepalive: true, method: 'POST' })])
  await done
})

test('R139 a token renewed meanwhile is used at once', async () => {
  const tokens = ['old', 'new']
  const renewing = createClient({ apiHost: server.apiHost, token: () => tokens.shift() ?? 'new' })
  answer = ({ headers }, response) =>
    headers.authorization === 'Bearer new'
      ? answerJson(response, onePage([]))
      : answerJson(response, { error: 'token invalid', code: 'token_invalid' }, 401)
  await renewing.list(mailclass)
  expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
})

test('R139 a call rejected during a token renewal waits for it and retries', async () => {
  let token = 'old'
  const waiting = createClient({
    apiHost: server.apiHost,
    token: () => token,
    settled: async () => {
      await Promise.resolve()
      token = 'new'
    },
    onError: () => expect.unreachable(),
  })
  answer = ({ headers }, response) =>
    headers.authorization === 'Bearer new'
      ? answerJson(response, onePage([]))
      : answerJson(response, { error: 'Expired token', code: 'token_expired' }, 401)
  await waiting.list(mailclass)
  expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
})

describe('a call that returns another token', () => {
  const exchange = defineAction({
    name: 'exchange',
    area: 'platform',
    method: 'POST',
    paths: ['/auth/exchange'],
    permission: null,
    params: z.null(),
    query: z.null(),
    body: z.strictObject({ to: z.string() }),
    response: z.object({ token: z.string() }),
  })
  const tokenOf = (firstname: string) => {
    const claims = {
      sub: { id: 1, firstname, lastname: 'Müller', administrator: false, superadmin: false },
      jti: '0b8f0c5e-6a0e-4f7e-9d0c-2f5b8a1c3d4e',
      iat: 1_700_000_000,
      exp: 1_700_043_200,
      permissions: [],
      view_role: null,
    }
    return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
  }
  const begin = () => {
    const kept = new Map([[tokenKey, tokenOf('Old')]])
    const { session, replaceToken } = createSession({
      apiHost: server.apiHost,
      store: {
        getItem: key => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: key => void kept.delete(key),
      },
    })
    const { token, settled } = session
    return { session, api: createClient({ apiHost: server.apiHost, token, settled, replaceToken }) }
  }

  test('R139 R148 continues the session with it, and retries calls rejected meanwhile', async () => {
    const { session, api } = begin()
    const refused = Promise.withResolvers<void>()
    answer = async ({ url, headers }, response) => {
      if (url.includes('exchange')) {
        await refused.promise
        return answerJson(response, { token: tokenOf('New') })
      }
      if (headers.authorization === `Bearer ${tokenOf('New')}`) return answerJson(response, onePage([]))
      answerJson(response, { error: 'token invalid', code: 'token_invalid' }, 401)
      refused.resolve()
    }
    const exchanged = api.callForToken(exchange, { body: { to: 'new' } })
    const [{ answer: told, claims }, page] = await Promise.all([exchanged, api.list(mailclass)])
    expect(told).toEqual({ token: tokenOf('New') })
    expect(claims.sub.firstname).toBe('New')
    expect(session.token()).toBe(tokenOf('New'))
    expect(page.data).toEqual([])
  })

  test('R139 reports its own rejection without waiting for itself', async () => {
    const { session, api } = begin()
    answer = (_, response) =>
      answerJson(response, { error: 'Wrong user or password', code: 'wrong_login' }, 401)
    await expect(api.callForToken(exchange, { body: { to: 'new' } })).rejects.toThrow(
      'Wrong user or password',
    )
    expect(session.token()).toBe(tokenOf('Old'))
    await session.settled()
  })

  test('R139 fails without a session', async () => {
    await expect(client.callForToken(exchange, { body: { to: 'new' } })).rejects.toThrow('no session')
    expect(server.calls).toHaveLength(0)
  })
})

test('R139 onError gets the rejected token', async () => {
  const tokens = ['old', 'new', 'even newer']
  const refused: [string, string | null][] = []
  const ending = createClient({
    apiHost: server.apiHost,
    token: () => tokens.shift() ?? null,
    onError: ({ code }, token) => refused.push([code, token]),
  })
  answer = (_, response) => answerJson(response, { error: 'token invalid', code: 'token_invalid' }, 401)
  await expect(ending.list(mailclass)).rejects.toThrow('token invalid')
  expect(refused).toEqual([['token_invalid', 'new']])
})

describe('cached responses', () => {
  beforeEach(() => {
    answer = ({ method }, response) =>
      answerJson(response, method === 'GET' ? onePage([]) : { mailclass_id: 1 })
  })

  test('R166 are returned the second time without network', async () => {
    await client.list(mailclass)
    await client.list(mailclass)
    expect(server.calls).toHaveLength(1)
  })

  test('R166 T13a are separate per user and client', async () => {
    await client.list(mailclass)
    scope = '2.0.1'
    await client.list(mailclass)
    expect(server.calls).toHaveLength(2)
  })

  test('R166 are bypassed and replaced with ignoreCache', async () => {
    await client.list(mailclass)
    await client.list(mailclass, {}, { ignoreCache: true })
    await client.list(mailclass)
    expect(server.calls).toHaveLength(3)
  })

  test('R167 are evicted by a write to the resource, or to a resource they include', async () => {
    await client.list(mailclass)
    await client.list(domain)
    await client.patch(mailclass, 1, { name: 'other' })
    await client.list(mailclass)
    await client.list(domain)
    expect(server.calls.filter(({ method }) => method === 'GET').map(({ url }) => url.split('?')[0])).toEqual(
      ['/emma/mailclass/', '/emma/domain/', '/emma/mailclass/'],
    )
  })

  test('R167 are evicted by a conflict', async () => {
    await client.list(mailclass)
    answer = (_, response) =>
      answerJson(response, { error: 'Faulty X-Revision value provided', code: 'faulty_revision' }, 409)
    await expect(client.patch(mailclass, 1, {}, { revision: 0 })).rejects.toThrow('Faulty X-Revision')
    expect(caches.urls()).toEqual([])
  })

  test('T13a never contain what was opened with a secret', async () => {
    answer = (_, response) => answerJson(response, { mailclass_id: 1 })
    await client.find(mailclass, 1, { secret: 's' })
    expect(caches.urls()).toEqual([])
  })
})

describe('actions', () => {
  const verb = defineAction({
    name: 'click_report',
    area: 'reports',
    method: 'GET',
    paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/click-report'],
    permission: 'EmmaReport:get',
    params: z.object({ client_id: z.int(), campaign_id: z.int() }),
    query: z.object({ days: z.int().optional() }),
    body: z.undefined(),
    response: z.object({ links: z.array(z.string()) }),
  })

  test('R169 fill their path, including the active client', async () => {
    answer = (_, response) => answerJson(response, { links: ['a'] })
    expect(await client.call(verb, { params: { client_id: 7, campaign_id: 3 }, query: { days: 7 } })).toEqual(
      {
        links: ['a'],
      },
    )
    expect(server.calls[0]?.url).toBe('/v2/emma/client/7/campaign/3/click-report?days=7')
  })

  test('R169 R317 reject a path with missing parameters, by name', async () => {
    const other = { ...verb, paths: ['/mta/{host_name}/ip/'] as const }
    await expect(client.call(other, { params: { client_id: 7, campaign_id: 3 } })).rejects.toThrow(
      'Not enough arguments provided for endpoint /mta/{host_name}/ip/',
    )
    expect(server.calls).toHaveLength(0)
  })
})

test('R162 an upload sends JSON parts, then the compressed file under its own name', async () => {
  answer = (_, response) => answerJson(response, { id: 9 }, 201)
  const upload = defineAction({
    name: 'upload',
    area: 'audience',
    method: 'POST',
    paths: ['/v2/dataupload/'],
    permission: 'DataUpload:post',
    params: z.unknown(),
    query: z.unknown(),
    body: z.unknown(),
    response: z.object({ id: z.int() }),
  })
  const shares: number[] = []
  const text = 'email,name\n'.repeat(10_000)
  const result = await client.upload(upload, {
    file: new Blob([text]),
    filename: 'Käufer.csv',
    parts: { mapping: { email: 'email' } },
    onProgress: ({ share }) => shares.push(share),
  })
  expect(result).toEqual({ id: 9 })
  const [call] = server.calls
  const form = await new Response(new Uint8Array(call?.body ?? []), {
    headers: { 'content-type': call?.headers['content-type'] ?? '' },
  }).formData()
  expect([...form.keys()]).toEqual(['mapping', 'file'])
  expect(form.get('mapping')).toBe('{"email":"email"}')
  const file = form.get('file')
  if (!(file instanceof File)) throw new Error('part file is no file')
  expect([file.name, file.type]).toEqual(['Käufer.csv', 'application/gzip'])
  expect(gunzipSync(Buffer.from(await file.arrayBuffer())).toString()).toBe(text)
  expect(shares.length).toBeGreaterThan(2)
  expect(shares.at(-1)).toBe(1)
})

const download = defineAction({
  name: 'download',
  area: 'reports',
  method: 'GET',
  paths: ['/downloads/{id}/file'],
  permission: null,
  params: z.object({ id: z.int() }),
  query: z.unknown(),
  body: z.unknown(),
  response: z.unknown(),
  answer: 'file',
})

test('R157 a file is returned unchanged, and not cached', async () => {
  answer = (_, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('a;b')
  const file = await client.file(download, { params: { id: 3 } })
  expect(await file.text()).toBe('a;b')
  expect(caches.urls()).toEqual([])
})

test('R317 a file that breaks off has an error', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  }
  await expect(client.file(download, { params: { id: 3 } })).rejects.toThrow('Error retrieving file')
})

test('R160 R169 a record is replaced by its key, and never without one', async () => {
  answer = (_, response) => answerJson(response, { mailclass_id: 4 })
  await client.replace(mailclass, 4, { name: 'whole' })
  expect(server.calls[0]).toMatchObject({ method: 'PUT', url: '/emma/mailclass/4' })
  await expect(client.patch(mailclass, '', { name: 'x' })).rejects.toThrow('Not enough arguments provided')
  await expect(client.find(mailclass, '')).rejects.toThrow('Not enough arguments provided')
})

describe('failures', () => {
  test.each([
    [
      'the body’s error',
      'application/json',
      '{"error":"Still in use","code":"in_use"}',
      'Still in use',
      'in_use',
    ],
    ['an exception page', 'text/html', '<title>Oops (500)</title>', 'Oops (500)', 'unknown'],
    ['plain text', 'text/plain', 'no space left', 'no space left', 'unknown'],
    ['nothing', 'application/json', '', 'Internal Server Error', 'unknown'],
  ])('R314 get their message from %s', async (_, contentType, body, message, code) => {
    answer = (_call, response) => response.writeHead(500, { 'content-type': contentType }).end(body)
    const error = await client.list(mailclass).catch((problem: unknown) => problem)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message, code, status: 500 })
    expect(error instanceof ApiError && error.url).toContain('/emma/mailclass/')
  })

  test('R314 without status text name the code', async () => {
    answer = (_, response) => {
      response.statusMessage = ' '
      response.writeHead(503).end()
    }
    await expect(client.list(mailclass)).rejects.toThrow('HTTP status code 503')
  })

  test('R314 contain the faulty fields', async () => {
    const fields = [{ field: 'name', message: 'is required' }]
    answer = (_, response) =>
      answerJson(response, { error: 'name: is required', code: 'invalid', fields }, 422)
    const error = await client.create(mailclass, {}).catch((problem: unknown) => problem)
    expect(error).toMatchObject({ fields })
  })

  test('of the network have their own code', async () => {
    const gone = createClient({ apiHost: 'http://127.0.0.1:1', token: () => null })
    const error = await gone.list(mailclass).catch((problem: unknown) => problem)
    expect(error).toMatchObject({ code: 'network', status: 0 })
  })

  test('R018 reset the counter', async () => {
    answer = (_, response) => answerJson(response, {}, 500)
    const seen: number[] = []
    client.loading.subscribe(() => seen.push(client.loading.count()))
    await client.list(mailclass).catch(() => {})
    client.loading.end()
    expect(seen).toEqual([1, 0, 0])
  })
})
