import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from './create-client.ts'
import { createDocumentClient } from './document-client.ts'
import { answerJson, type Received, startTestServer, type TestServer } from './test/server.ts'

let server: TestServer
let reply: (call: Received) => [body: unknown, status?: number] = () => [{}]

beforeAll(async () => {
  server = await startTestServer((call, response) => answerJson(response, ...reply(call)))
})
afterAll(() => server.close())

const rev = `1-${'a'.repeat(32)}`

function documents(label?: string) {
  const api = createClient({
    apiHost: server.apiHost,
    token: () => 'token',
    params: () => ({ client_id: 7 }),
  })
  return createDocumentClient(api, 'sqltemplate', label)
}

function sent(call = server.calls.at(-1)): unknown {
  if (!call) throw new Error('No call found!')
  const isPacked = call.headers['content-encoding'] === 'gzip'
  return JSON.parse((isPacked ? gunzipSync(call.body) : call.body).toString())
}

test('R300 searches by a pattern over the label, default name, in pages of 100', async () => {
  reply = () => [{ docs: [{ _id: 'a', _rev: rev, name: 'A' }], bookmark: 'nil' }]
  const page = await documents().find({ search: ' 50 % (new) \\1 ' })
  expect(page).toEqual({ docs: [{ _id: 'a', _rev: rev, name: 'A' }], isLast: true })
  expect(server.calls.at(-1)).toMatchObject({ method: 'POST', url: '/documents/7/sqltemplate/_find' })
  expect(sent()).toEqual({
    selector: { name: { $regex: String.raw`(?i)50 % \(new\) \\1` } },
    sort: [{ name: 'asc' }],
    skip: 0,
    limit: 100,
  })
  await documents('title').find({ selector: { active: true } })
  expect(sent()).toMatchObject({ selector: { active: true }, sort: [{ title: 'asc' }] })
})

test('R300 fetches all pages, but never more than 9999 documents', async () => {
  const all = Array.from({ length: 250 }, (_, index) => ({ _id: `${index}`, _rev: rev }))
  const asked: unknown[] = []
  reply = call => {
    const body = sent(call)
    asked.push(body)
    const { skip, limit } = Object(body)
    return [{ docs: all.slice(skip, skip + limit), bookmark: 'nil' }]
  }
  expect(await documents().findAll()).toHaveLength(250)
  expect(asked).toMatchObject([{ skip: 0 }, { skip: 100 }, { skip: 200 }])
  reply = call => [
    { docs: Array.from({ length: Object(sent(call)).limit }, () => ({ _id: 'x', _rev: rev })), bookmark: '' },
  ]
  expect(await documents().findAll()).toHaveLength(9999)
})

test('R300 creates, updates by revision, removes in bulk', async () => {
  reply = () => [{ ok: true, id: 'new', rev }, 201]
  expect(await documents().create({ name: 'New' })).toEqual({
    _id: 'new',
    _rev: rev,
    name: 'New',
    endpoint: 'sqltemplate',
  })
  expect(server.calls.at(-1)).toMatchObject({ method: 'POST', url: '/documents/7/sqltemplate' })
  await documents().update({ _id: 'a/b', _rev: rev, name: 'Newer' })
  expect(server.calls.at(-1)).toMatchObject({
    method: 'PUT',
    url: `/documents/7/sqltemplate/a%2Fb?rev=${rev}`,
  })
  expect(sent()).toEqual({ name: 'Newer' })
  reply = () => [
    [
      { ok: true, id: 'a', rev },
      { id: 'b', error: 'conflict', reason: 'Document update conflict.' },
    ],
    201,
  ]
  const results = await documents().remove([
    { _id: 'a', _rev: rev },
    { _id: 'b', _rev: rev },
  ])
  expect(results.map(result => result.error)).toEqual([undefined, 'conflict'])
  expect(sent()).toEqual({
    docs: [
      { _id: 'a', _rev: rev, _deleted: true },
      { _id: 'b', _rev: rev, _deleted: true },
    ],
  })
})

test('R300 throws conflict for a stale revision', async () => {
  reply = () => [{ error: 'conflict', reason: 'Document update conflict.', code: 'conflict' }, 409]
  await expect(documents().update({ _id: 'a', _rev: rev })).rejects.toMatchObject({
    status: 409,
    message: 'conflict',
  })
})
