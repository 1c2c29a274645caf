import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { socketProtocols } from '@emma/contract/socket.ts'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SOCKET_LIMITS } from '../network/limits.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'
import { limitSlowBodies } from './slow-body-timeout.ts'

let app: TestApp
let ours: TestClient
let superadmin: string
beforeAll(async () => {
  app = await startTestApp({ EMMA_CALLS_PER_MINUTE: '60', EMMA_KEPT_SECONDS: '30' })
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

test('a user has a number of calls per minute, reported in each response, without affecting others', async () => {
  const { token } = await app.logIn({ clients: [ours.clientId] })
  const ask = (own: string) => app.call('GET', '/emma/capping/', { token: own })
  const first = await ask(token)
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"caller";q=60;w=60',
    ratelimit: expect.stringMatching(/^"caller";r=59;t=\d+$/),
    'x-ratelimit-remaining': '59',
  })
  for (let call = 2; call <= 60; call++) expect((await ask(token)).status).toBe(200)
  const refused = await ask(token)
  expect(refused).toMatchObject({ status: 429, json: { error: 'Too many requests', code: 'too_many' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers.ratelimit).toMatch(/;r=0;/)
  const { token: other } = await app.logIn({ clients: [ours.clientId] })
  expect((await ask(other)).status).toBe(200)
})

test('R151 cached sessions lose their permissions on any change in the database', async () => {
  const { token, roleId, userId } = await app.logIn({ clients: [ours.clientId] })
  const status = async () => (await app.call('GET', '/emma/capping/', { token })).status
  // Seldom, to stay within the rate limit.
  const seldom = { interval: 1_000 }
  expect(await status()).toBe(200)
  // Another process writes: this one only gets the notification.
  await app.db.updateTable('role').set({ permissions: [] }).where('id', '=', roleId).execute()
  await expect.poll(status, seldom).toBe(403)
  await app.db
    .updateTable('role')
    .set({ permissions: ['EmmaCapping:get'] })
    .where('id', '=', roleId)
    .execute()
  await expect.poll(status, seldom).toBe(200)
  await app.db.updateTable('session').set({ revoked_at: new Date() }).where('user_id', '=', userId).execute()
  await expect.poll(status, seldom).toBe(401)
})

test('cached sessions: unauthenticated and rejected calls do not clear the cache, a write does', async () => {
  const [{ token, userId }, { token: other, userId: otherId }] = [
    await app.logIn({ clients: [ours.clientId] }),
    await app.logIn({ clients: [ours.clientId] }),
  ]
  const status = async () => (await app.call('GET', '/emma/capping/', { token })).status
  expect(await status()).toBe(200)
  // Bypasses the triggers: only reading the session again notices.
  await app.db.transaction().execute(async tx => {
    await sql`alter table session disable trigger tell_kept`.execute(tx)
    await tx.updateTable('session').set({ revoked_at: new Date() }).where('user_id', '=', userId).execute()
    await sql`alter table session enable trigger tell_kept`.execute(tx)
  })
  await app.call('POST', '/auth/login', { body: { username: 'nobody', password: 'x' } })
  await app.call('POST', '/password-reset/', { body: { username: 'nobody' } })
  await app.call('POST', '/emma/capping/', { token: other, body: {} })
  expect(await status()).toBe(200)
  await app.call('POST', `/user/${otherId}/settings/`, {
    token: other,
    body: { custom: {} },
  })
  expect(await status()).toBe(401)
})

test('R151 permissions removed over the API are gone with the response', async () => {
  const { token, roleId } = await app.logIn({ clients: [ours.clientId], permissions: ['EmmaCapping:get'] })
  expect((await app.call('GET', '/emma/capping/', { token })).status).toBe(200)
  const { token: writer } = await app.logIn({ clients: [], superadmin: true })
  await app.call('PATCH', `/role/${roleId}`, { token: writer, body: { permissions: [] } })
  expect((await app.call('GET', '/emma/capping/', { token })).status).toBe(403)
})

test('columns of a cached datasource follow the schema', async () => {
  const { token } = await app.logIn({ clients: [ours.clientId] })
  const table = `/emma/membertable/${ours.ids.membertable}`
  const members = `/v2/emma/client/${ours.clientId}/membertable/${ours.ids.membertable}/member/`
  expect(await app.call('GET', `${members}?orderby=town`, { token })).toMatchObject({ status: 400 })
  const { json } = await app.call('GET', table, { token })
  const schema = Array.isArray(json.emmamembertableschema) ? json.emmamembertableschema : []
  const body = {
    emmamembertableschema: [...schema, { column_name: 'town', label: 'Town', data_type: 'string' }],
  }
  expect(await app.call('PATCH', table, { token, body })).toMatchObject({ status: 200 })
  expect(await app.call('GET', `${members}?orderby=town`, { token })).toMatchObject({ status: 200 })
})

describe('sizes of bodies', () => {
  const send = (path: string, payload: Buffer, headers: Record<string, string> = {}) =>
    app.call('POST', path, { payload, headers: { 'content-type': 'application/json', ...headers } })
  const login = (bytes: number) => Buffer.from(JSON.stringify({ username: 'x'.repeat(bytes), password: 'y' }))

  test('public and account paths accept 64 KB, compressed or not', async () => {
    expect(await send('/auth/login', login(60_000))).toMatchObject({ status: 422 })
    const tooLarge = { status: 413, error: { code: 'too_large' } }
    expect(await send('/auth/login', login(70_000))).toMatchObject(tooLarge)
    const packed = gzipSync(login(70_000))
    expect(await send('/auth/login', packed, { 'content-encoding': 'gzip' })).toMatchObject(tooLarge)
    const { token, userId } = await app.logIn({ clients: [ours.clientId] })
    const body = { custom: { view: 'x'.repeat(70_000) } }
    expect(await app.call('POST', `/user/${userId}/settings/`, { token, body })).toMatchObject(tooLarge)
    expect(await send('/nowhere', login(70_000))).toMatchObject(tooLarge)
  })

  test('others accept 2 MB, and more where needed', async () => {
    const { token } = await app.logIn({ clients: [ours.clientId] })
    const name = 'x'.repeat(2_200_000)
    const other = await app.call('POST', '/emma/capping/', { token, body: { name } })
    expect(other).toMatchObject({ status: 413, error: { code: 'too_large' } })
    const message = await app.call('POST', '/emma/message/', { token, body: { name } })
    expect(message).toMatchObject({ status: 422, json: { fields: [{ field: 'name' }] } })
  })

  test('an anonymous caller is rejected before the body is read', async () => {
    expect(await send('/emma/capping/', login(3_000_000))).toMatchObject({ status: 401 })
    expect(await send('/emma/message/', Buffer.from('{'))).toMatchObject({ status: 401 })
  })

  test('a body with too many values is rejected before parsing', async () => {
    const { token } = await app.logIn({ clients: [ours.clientId] })
    const payload = `{"name":[${'0,'.repeat(150_000)}0]}`
    const headers = { 'content-type': 'application/json' }
    const answer = await app.call('POST', '/emma/capping/', { token, payload, headers })
    expect(answer).toMatchObject({ status: 413, error: { code: 'too_large' } })
  })
})

describe('over the network', () => {
  let port: number
  beforeAll(async () => {
    port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  test('a user has a maximum number of sockets', async () => {
    const { token } = await app.logIn({ clients: [ours.clientId] })
    const open = () => new WebSocket(`ws://127.0.0.1:${port}/api/socket`, socketProtocols(token))
    const sockets = Array.from({ length: SOCKET_LIMITS.perUser + 1 }, open)
    const codes = sockets.map(async socket => {
      const [event] = await once(socket, 'close')
      return event instanceof CloseEvent ? event.code : null
    })
    expect(await Promise.race(codes)).toBe(1013)
    for (const socket of sockets) socket.close(1000)
    expect((await Promise.all(codes)).filter(code => code === 1013)).toHaveLength(1)
  })

  test('R162 a body of 100 MB is rejected while it arrives, and not buffered', async () => {
    const before = process.memoryUsage().rss
    const { token } = await app.logIn({ clients: [ours.clientId] })
    const asked = request({
      port,
      method: 'POST',
      path: '/api/emma/capping/',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    })
    let sent = 0
    const chunk = Buffer.alloc(1_000_000, ' ')
    const answered = new Promise<number | undefined>(resolve => {
      asked.on('response', response => resolve(response.statusCode))
      asked.on('error', () => resolve(undefined))
    })
    const status = await Promise.race([
      answered,
      (async () => {
        for (; sent < 100 && !asked.destroyed; sent++)
          if (!asked.write(chunk)) await once(asked, 'drain').catch(() => {})
        return answered
      })(),
    ])
    asked.destroy()
    // The response may be lost if the connection closes during the upload (RFC 9112, 9.6).
    expect(status).toBeOneOf([413, undefined])
    expect(sent).toBeLessThan(90)
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000)
  })
})

describe('slow bodies', () => {
  let site: FastifyInstance | undefined
  afterEach(() => site?.close())

  // Two chunks per second suffice of the twenty that are sent: tolerance for a busy machine.
  const pace = { every: 1_000, least: 100, longest: 1_500 }

  async function start(): Promise<number> {
    site = fastify()
    limitSlowBodies(site, pace)
    const take = async (body: AsyncIterable<Buffer>) => {
      let size = 0
      for await (const chunk of body) size += chunk.length
      return size
    }
    site.addContentTypeParser(
      ['multipart/form-data', 'text/slow'],
      (_request: FastifyRequest, payload: AsyncIterable<Buffer>) => take(payload),
    )
    site.post('/', async ({ body }) => ({ size: body }))
    return Number(new URL(await site.listen({ port: 0, host: '127.0.0.1' })).port)
  }

  async function drip(type: string, bytes: number, pieces: number): Promise<string> {
    const socket = connect(await start(), '127.0.0.1')
    let answer = ''
    socket.on('data', data => (answer += String(data)))
    socket.on('error', () => {})
    const size = bytes * pieces
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${size}\r\n\r\n`,
    )
    const closed = once(socket, 'close')
    for (let piece = 0; piece < pieces && !socket.destroyed && answer === ''; piece++) {
      if (bytes > 0) socket.write('x'.repeat(bytes))
      await sleep(50)
    }
    await closed
    return answer
  }

  test('an upload may take longer than others while it progresses', async () => {
    expect(await drip('multipart/form-data', 50, 60)).toMatch(/^HTTP\/1\.1 200 .*"size":3000/s)
  })

  test('a stalled upload is aborted, and so is any other slow body', async () => {
    expect(await drip('multipart/form-data', 1, 60)).toMatch(/^HTTP\/1\.1 408 /)
    await site?.close()
    expect(await drip('text/slow', 50, 60)).toMatch(/^HTTP\/1\.1 408 /)
  })
})
