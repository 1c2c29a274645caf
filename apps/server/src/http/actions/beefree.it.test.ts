import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'

/** A stand-in for Beefree's login and HTML export. */
let service: Server
let base: string
let asked: { path: string; key: string | undefined; body: unknown }[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void

let app: TestApp
let superadmin: string
let clients: number[]
let token: string

beforeAll(async () => {
  app = await startTestApp({ EMMA_WEBHOOK_LOOPBACK: 'true' })
  superadmin = await app.logInSuperadmin()
  const rows = await app.db
    .insertInto('client')
    .values([{ name: 'Shop' }, { name: 'Other' }])
    .returning('client_id')
    .execute()
  clients = rows.map(row => row.client_id)
  token = (await app.logIn({ clients })).token
  service = createServer((request, response) => {
    void text(request).then(body => {
      asked.push({ path: request.url ?? '', key: request.headers.authorization, body: JSON.parse(body) })
      answer(request, response)
    })
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(async () => {
  service.close()
  await app.close()
})
beforeEach(() => {
  asked = []
})

const replies = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const settings = (part: string, body: object) =>
  app.call('PUT', `/v2/system-settings/${part}`, { token: superadmin, body })
const configure = (client_id: string) =>
  settings('beefree', { is_enabled: true, client_id, url: `${base}/loginV2`, client_secret: 'the secret' })
const logIn = () => app.call('GET', '/beeplugin/auth/', { token })
const importHtml = (html: string) =>
  app.call('POST', '/tools/htmlbody/', { token, body: { html, client_id: clients[0] } })

const design = { page: { title: 'News', rows: [{ columns: [] }] }, comments: {} }

test('R265, R301 there is no token without credentials, and nobody is asked', async () => {
  const { status, error } = await logIn()
  expect([status, error.reason]).toEqual([409, 'beefree.off'])
  const missing = await settings('beefree', { is_enabled: true, client_id: 'emma' })
  expect(missing.error.fields).toMatchObject([{ field: 'client_secret', code: 'field.required' }])
  expect(asked).toEqual([])
})

test('R265, R301 a token is reused until it expires, per client; the secret stays on the server', async () => {
  expect((await configure('one')).text).not.toContain('the secret')
  answer = replies(200, { access_token: 'abc', v2: true })
  const [first, second] = await Promise.all([logIn(), logIn()])
  expect(first.json).toEqual({ access_token: 'abc', expires: expect.any(String), v2: true })
  expect(second.json).toEqual(first.json)
  expect(Date.parse(String(first.json.expires)) - Date.now()).toBeGreaterThan(200_000)
  const uid = `client-${clients[0]}`
  expect(asked).toEqual([
    { path: '/loginV2', key: undefined, body: { client_id: 'one', client_secret: 'the secret', uid } },
  ])
  await configure('two')
  await logIn()
  expect(asked).toHaveLength(2)
})

test('R319 the texts of the plugin say why there is no token, and the next call asks again', async () => {
  await configure('three')
  answer = replies(401, { error: 'no' })
  expect((await logIn()).error.error).toBe('Error fetching token: Unauthorized (401)')
  answer = replies(200, { v2: true })
  expect((await logIn()).error.error).toBe('loginToken not found!')
  answer = (_, response) => void response.destroy()
  expect((await logIn()).error.reason).toBe('beefree.unreachable')
  answer = replies(200, { access_token: 'abc', v2: true })
  expect((await logIn()).status).toBe(200)
})

test('a secret is not sent to another address', async () => {
  await configure('four')
  const moved = { is_enabled: true, client_id: 'four', url: 'https://other.example/loginV2' }
  const { error } = await settings('beefree', moved)
  expect(error.fields).toMatchObject([{ field: 'client_secret', code: 'field.secret_again' }])
})

test('R264 rows are stored per client in the format of the editor', async () => {
  const row = { name: 'Header', category: 'Top', row_json: { columns: [{ modules: [] }] }, tags: ['a', 'b'] }
  const made = await app.call('POST', '/beeplugin/row/', { token, body: row })
  expect(made.json).toMatchObject(row)
  const listed = await app.call('GET', '/beeplugin/row/?category=Top', { token })
  expect(listed.json).toMatchObject({ data: [row] })
  const others = await app.logIn({ clients: [clients[1] ?? 0] })
  const read = await app.call('GET', `/beeplugin/row/${String(made.json.id)}`, { token: others.token })
  expect(read.status).toBe(404)
  const bad = await app.call('POST', '/beeplugin/row/', { token, body: { ...row, row_json: ['x'] } })
  expect(bad.error.fields).toMatchObject([{ field: 'row_json' }])
})

test('R249 a design of Beefree is imported with its key only, and kept beside its HTML', async () => {
  const source = JSON.stringify(design)
  expect((await importHtml(source)).error.fields).toMatchObject([{ field: 'html', code: 'beefree.no_key' }])
  const saved = await settings('beefree-export', { url: `${base}/v1/message/html`, api_key: 'the key' })
  expect(saved.json).toMatchObject({ beefree_export: { key_set: true } })
  answer = replies(422, {})
  expect((await importHtml(source)).error.fields).toMatchObject([{ code: 'beefree.export' }])
  answer = (_, response) =>
    void response.end('<html><head><title>News</title></head><body><p>Hi</p></body></html>')
  asked = []
  const { json } = await importHtml(source)
  expect(json).toMatchObject({ format: 'html', title: 'News', bee_json: design })
  expect(asked).toEqual([{ path: '/v1/message/html', key: 'Bearer the key', body: design }])
  const body = { name: 'News', body_long: json.html, bee_json: json.bee_json }
  const made = await app.call('POST', '/templates/', { token, body })
  const read = await app.call('GET', `/templates/${String(made.json.message_id)}`, { token })
  expect(read.json).toMatchObject({ bee_json: design })
  expect((await importHtml('{"page": 1}')).error.fields).toMatchObject([{ code: 'import.no_template' }])
  await settings('beefree-export', { url: null })
  expect((await importHtml(source)).error.fields).toMatchObject([{ code: 'beefree.no_key' }])
})
