import { setTimeout as sleep } from 'node:timers/promises'
import { permissions } from '@emma/contract/permissions.ts'
import { tokenSeconds } from '@emma/contract/session.ts'
import { createAccount } from '@emma/core/account/create-account.ts'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSystemMailServer, type SystemMailServer } from '../test/system-mail.ts'
import { type Ask, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

const password = 'correct horse battery'
let mailServer: SystemMailServer
let received: SystemMailServer['received']

let app: TestApp
let client: TestClient
let superadmin: string
let people = 0
let addresses = 0
/** A user of this test, with a known password. */
let me: { id: number; username: string }

beforeAll(async () => {
  mailServer = await startSystemMailServer()
  ;({ received } = mailServer)
  app = await startTestApp()
  await mailServer.use(app.db)
  superadmin = await app.logInSuperadmin()
  client = await addTestClient(app, superadmin)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})
beforeEach(async () => {
  people += 1
  me = await createAccount(app.db, {
    username: `Somebody${people}`,
    email: `somebody${people}@example.test`,
    firstname: 'Some',
    lastname: 'Body',
    password,
  })
  await app.db.insertInto('user_client').values({ user_id: me.id, client_id: client.clientId }).execute()
})

/** Each call has its own IP address: rate limits by address are tested elsewhere. */
function post(path: string, ask: Ask = {}) {
  addresses += 1
  return app.call('POST', path, { remoteAddress: `10.1.${addresses >> 8}.${addresses & 255}`, ...ask })
}

async function logIn(username = me.username, secret = password): Promise<string> {
  const answer = await post('/auth/login', { body: { username, password: secret } })
  if (answer.status !== 200) throw new Error(answer.text)
  return String(answer.json.token)
}

const isOpen = async (token: string) => (await app.call('GET', '/auth/token', { token })).status === 200

test('R138 R152 T9 a login returns a token whose sub is an object', async () => {
  const token = await logIn(me.username.toUpperCase())
  const claims = decodeJwt(token)
  const sub = { id: me.id, firstname: 'Some', lastname: 'Body', administrator: false, superadmin: false }
  expect(claims).toMatchObject({ sub, permissions: [], view_role: null })
  expect(Number(claims.exp) - Number(claims.iat)).toBe(tokenSeconds)
  expect(await app.call('GET', '/auth/token', { token })).toMatchObject({ status: 200, json: { sub } })
})

test('R152 a wrong name and a wrong password get the same answer', async () => {
  const wrong = { status: 401, json: { error: 'Wrong user or password', code: 'wrong_login' } }
  for (const login of [
    { username: me.username, password: 'not the password' },
    { username: 'nobody', password },
    { username: me.username, password: `${password} ` },
    { username: "' or 1=1 --", password: "' or 1=1 --" },
    { username: '%', password },
  ])
    expect(await post('/auth/login', { body: login })).toMatchObject(wrong)
  await app.db.updateTable('app_user').set({ active: false }).where('id', '=', me.id).execute()
  expect(await post('/auth/login', { body: { username: me.username, password } })).toMatchObject(wrong)
})

test('invalid login input is reported by field', async () => {
  for (const [body, field] of [
    [{ username: me.username }, 'password'],
    [{ password }, 'username'],
    [{ username: me.username, password: null }, 'password'],
    [{ username: 1, password }, 'username'],
    [{ username: ['a'], password }, 'username'],
    [{ username: 'x'.repeat(300), password }, 'username'],
    [{ username: 'a\u0000b', password }, 'username'],
    [{ username: me.username, password: 'a\ud800' }, 'password'],
    [{ username: me.username, password: 'x'.repeat(5_000) }, 'password'],
    [{ username: me.username, password, admin: true }, 'admin'],
    ['text', 'body'],
  ] as const)
    expect(await post('/auth/login', { body })).toMatchObject({ status: 422, json: { fields: [{ field }] } })
  expect(await post('/auth/login')).toMatchObject({ status: 401, json: { error: 'No token found!' } })
})

test('R139 R152 R153 a renewal rotates the token and invalidates the old one', async () => {
  const old = await logIn()
  const renewed = await post('/auth/login', { token: old })
  expect(renewed.status).toBe(200)
  const token = String(renewed.json.token)
  expect(decodeJwt(token).jti).not.toBe(decodeJwt(old).jti)
  expect(await isOpen(token)).toBe(true)
  expect(await app.call('GET', '/auth/token', { token: old })).toMatchObject({
    status: 401,
    json: { error: 'Expired token' },
  })
  expect(await post('/auth/login', { token: old })).toMatchObject({ status: 401 })
})

test('of two concurrent renewals exactly one succeeds', async () => {
  const old = await logIn()
  const answers = await Promise.all([1, 2, 3, 4].map(() => post('/auth/login', { token: old })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
})

test('R154 a logout ends this session only', async () => {
  const [here, there] = [await logIn(), await logIn()]
  expect(await post('/auth/logout', { token: here })).toMatchObject({ status: 200, json: { ok: true } })
  expect([await isOpen(here), await isOpen(there)]).toEqual([false, true])
})

test('R139 T10 forged, expired and unsigned tokens are rejected', async () => {
  const token = await logIn()
  const key = app.config.deriveKey('session')
  const claims = decodeJwt(token)
  const signed = (changes: object, secret = key, alg = 'HS256') =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg }).sign(secret)
  const [, body = ''] = token.split('.')
  const header = Buffer.from('{"alg":"none"}').toString('base64url')
  const past = Math.floor(Date.now() / 1000) - 10
  for (const [forged, error] of [
    [await signed({ exp: past }), 'Expired token'],
    [await signed({}, Buffer.alloc(32, 1)), 'token invalid'],
    [await signed({}, key, 'HS512'), 'token invalid'],
    [await signed({ sub: '1' }), 'token invalid'],
    [await signed({ jti: 'x' }), 'token invalid'],
    [await signed({ jti: '00000000-0000-4000-8000-000000000000' }), 'Expired token'],
    [await signed({ sub: { ...Object(claims.sub), id: 1 } }), 'Expired token'],
    [`${header}.${body}.`, 'token invalid'],
    [`${token}x`, 'token invalid'],
  ] as const)
    expect(await app.call('GET', '/auth/token', { token: forged })).toMatchObject({
      status: 401,
      json: { error },
    })
})

test('one address may try 20 logins a minute, then gets an error', async () => {
  const answers = []
  for (let count = 0; count < 22; count += 1) {
    const body = { username: `nobody ${count}`, password: 'x' }
    answers.push(await post('/auth/login', { remoteAddress: '10.9.9.9', body }))
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(401), 429, 429])
  expect(answers[0]?.headers).toMatchObject({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '19' })
  expect(Number(answers[21]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(answers[21]?.json).toEqual({ error: 'Too many requests', code: 'too_many' })
})

test('R239 a forgotten password is reset by email, once, and all sessions end', async () => {
  const before = await logIn()
  const asked = await post('/password-reset/', {
    body: { username: me.username },
    headers: { host: 'evil.example' },
  })
  expect(asked).toMatchObject({ status: 202, json: { ok: true } })
  const mail = await mailTo(`somebody${people}@example.test`)
  expect(mail).not.toContain('evil.example')
  const [link = ''] = /http\S+token=\S+/.exec(mail) ?? []
  expect(link.startsWith(app.config.publicUrl)).toBe(true)
  const token = link.split('token=')[1]
  const put = (body: unknown) => app.call('PUT', '/password-reset/', { body })

  expect(await put({ token, password: 'short' })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'password' }] },
  })
  expect(await put({ token: 'guessed', password: 'another password' })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'token' }] },
  })
  expect(await isOpen(before)).toBe(true)
  expect(await put({ token, password: 'another password' })).toMatchObject({ status: 200 })
  expect(await isOpen(before)).toBe(false)
  expect(await put({ token, password: 'a third password' })).toMatchObject({ status: 422 })
  expect(await post('/auth/login', { body: { username: me.username, password } })).toMatchObject({
    status: 401,
  })
  expect(await isOpen(await logIn(me.username, 'another password'))).toBe(true)
})

test('after a password is set, other reset links are invalid', async () => {
  const email = `somebody${people}@example.test`
  for (let count = 0; count < 2; count += 1) await post('/password-reset/', { body: { username: email } })
  await mailTo(email, 2)
  const tokens = received.filter(mail => mail.to === email).map(mail => /token=(\S+)/.exec(mail.text)?.[1])
  const put = (token = '') =>
    app.call('PUT', '/password-reset/', { body: { token, password: 'another password' } })
  expect(await put(tokens[1])).toMatchObject({ status: 200 })
  expect(await put(tokens[0])).toMatchObject({ status: 422 })
})

test('a reset does not reveal who has an account', async () => {
  const mails = received.length
  expect(await post('/password-reset/', { body: { username: 'nobody' } })).toMatchObject({ status: 202 })
  for (const username of ['a\u0000b', '', 5, null])
    expect(await post('/password-reset/', { body: { username } })).toMatchObject({
      status: 422,
      json: { fields: [{ field: 'username' }] },
    })
  expect(received.length).toBe(mails)
})

test('the own password changes with the old one, and ends the other sessions', async () => {
  const [here, there] = [await logIn(), await logIn()]
  const change = (old_password: string, token = here) =>
    post(`/user/${me.id}/password`, { token, body: { old_password, password: 'another password' } })
  expect(await change('not it')).toMatchObject({ status: 422, json: { fields: [{ field: 'old_password' }] } })
  expect(
    await post(`/user/${me.id + 1}/password`, { token: here, body: { old_password: password, password } }),
  ).toMatchObject({
    status: 404,
  })
  const changed = await change(password)
  expect(changed.status).toBe(200)
  expect([await isOpen(here), await isOpen(there), await isOpen(String(changed.json.token))]).toEqual([
    false,
    false,
    true,
  ])
})

test('sessions end only when password, roles or permissions change', async () => {
  const patch = (body: unknown) => app.call('PATCH', `/user/${me.id}`, { token: superadmin, body })
  for (const body of [
    { password: 'set by another' },
    { roles: [client.ids.role] },
    { administrator: true },
    { active: false },
  ]) {
    await app.db.updateTable('app_user').set({ active: true }).where('id', '=', me.id).execute()
    const token = await logIn(me.username, 'password' in body ? password : 'set by another')
    expect(await patch(body)).toMatchObject({ status: 200 })
    expect({ body, open: await isOpen(token) }).toEqual({ body, open: false })
  }
  await patch({ active: true })
  const token = await logIn(me.username, 'set by another')
  const record = await app.call('GET', `/user/${me.id}`, { token: superadmin })
  expect(await patch({ ...record.json, firstname: 'Somebody' })).toMatchObject({ status: 200 })
  expect(await isOpen(token)).toBe(true)
  expect(await app.call('DELETE', `/user/${me.id}`, { token: superadmin })).toMatchObject({ status: 204 })
  expect(await isOpen(token)).toBe(false)
})

test('users cannot grant more than they have', async () => {
  const clerk = await app.logIn({
    clients: [client.clientId],
    permissions: permissions.filter(permission => permission.startsWith('User:')),
  })
  const other = await addTestClient(app, superadmin)
  const boss = await app.logIn({ clients: [client.clientId], superadmin: true })
  const manager = await app.logIn({ clients: [client.clientId, other.clientId] })
  const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    app.call(method, path, { token: clerk.token, body })
  const forbidden = { status: 403, json: { error: 'Forbidden' } }
  // A role above the own level gets the same answer as one that does not exist.
  const unknown = { status: 422, json: { fields: [{ field: 'roles', message: 'does not exist' }] } }
  for (const roles of [[manager.roleId], [999_999]])
    expect(await ask('PATCH', `/user/${me.id}`, { roles })).toMatchObject(unknown)
  for (const body of [{ superadmin: true }, { administrator: true }]) {
    expect(await ask('PATCH', `/user/${clerk.userId}`, body)).toMatchObject(forbidden)
    expect(await ask('PATCH', `/user/${me.id}`, body)).toMatchObject(forbidden)
  }
  for (const id of [boss.userId, manager.userId]) {
    expect(await ask('PATCH', `/user/${id}`, { password: 'a known password' })).toMatchObject(forbidden)
    expect(await ask('PATCH', `/user/${id}`, { email: 'clerk@example.test' })).toMatchObject(forbidden)
    expect(await ask('DELETE', `/user/${id}`)).toMatchObject(forbidden)
  }
  expect(await ask('PATCH', `/user/${me.id}`, { clients: [other.clientId] })).toMatchObject({ status: 404 })
  await app.db.insertInto('user_client').values({ user_id: me.id, client_id: other.clientId }).execute()
  const seen = await ask('PATCH', `/user/${me.id}`, { clients: [client.clientId], roles: [clerk.roleId] })
  expect(seen).toMatchObject({ status: 200, json: { clients: [client.clientId], roles: [clerk.roleId] } })
  expect(await app.call('GET', `/user/${me.id}`, { token: superadmin })).toMatchObject({
    json: { clients: [client.clientId, other.clientId] },
  })
})

test('R146 R148 a superadmin views as a role, and returns', async () => {
  const own = await app.logIn({ clients: [client.clientId], superadmin: true })
  const viewed = await post('/auth/view-as', { token: own.token, body: { role_id: client.ids.role } })
  expect(viewed.status).toBe(200)
  const token = String(viewed.json.token)
  expect(decodeJwt(token)).toMatchObject({ view_role: client.ids.role, permissions: ['EmmaCampaign:get'] })
  expect(await isOpen(own.token)).toBe(false)
  const status = async (method: 'GET' | 'POST', path: string) =>
    (await app.call(method, path, { token })).status
  expect(await status('GET', '/emma/campaign/')).toBe(200)
  expect(await status('POST', '/emma/campaign/')).toBe(403)
  expect(await status('GET', '/role/')).toBe(403)
  const renewed = await post('/auth/login', { token })
  expect(decodeJwt(String(renewed.json.token)).view_role).toBe(client.ids.role)
  const back = await post('/auth/view-as', { token: String(renewed.json.token), body: { role_id: null } })
  expect((await app.call('GET', '/role/', { token: String(back.json.token) })).status).toBe(200)
  expect(
    await post('/auth/view-as', { token: String(back.json.token), body: { role_id: 99_999 } }),
  ).toMatchObject({ status: 404 })
  expect(await isOpen(String(back.json.token))).toBe(true)
  expect(
    await post('/auth/view-as', { token: await logIn(), body: { role_id: client.ids.role } }),
  ).toMatchObject({ status: 403 })
})

test('R142 R225 settings are per user, and contain the active client', async () => {
  const other = await addTestClient(app, superadmin)
  const both = await app.logIn({ clients: [client.clientId, other.clientId] })
  const own = `/user/${both.userId}/settings/`
  const first = await app.call('GET', own, { token: both.token })
  expect(first).toMatchObject({
    json: { data: [{ client_id: client.clientId, custom: {} }, { client_id: other.clientId }] },
  })
  const names = async () => (await app.call('GET', '/emma/blacklist/', { token: both.token })).json.data
  expect(await names()).toMatchObject([{ client_id: client.clientId }])
  expect(await post(own, { token: both.token, body: { custom: { theme: 'dark' } } })).toMatchObject({
    status: 200,
    json: { data: [{ client_id: client.clientId, custom: { theme: 'dark' } }, {}] },
  })
  expect(await post(own, { token: both.token, body: { client_id: other.clientId } })).toMatchObject({
    json: { data: [{ client_id: other.clientId }, { custom: { theme: 'dark' } }] },
  })
  expect(await names()).toMatchObject([{ client_id: other.clientId }])
  expect(await post(own, { token: both.token, body: { client_id: 999_999 } })).toMatchObject({ status: 404 })
  expect(await app.call('GET', own, { token: await logIn() })).toMatchObject({ status: 404 })
  await app.db
    .deleteFrom('user_client')
    .where('user_id', '=', both.userId)
    .where('client_id', '=', other.clientId)
    .execute()
  expect(await names()).toMatchObject([{ client_id: client.clientId }])
})

async function mailTo(address: string, count = 1): Promise<string> {
  for (;;) {
    const found = received.filter(mail => mail.to === address)
    if (found.length >= count) return found.at(-1)?.text ?? ''
    await sleep(20)
  }
}
