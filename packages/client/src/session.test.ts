import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSession, decodeToken, type ReplaceToken, type Session } from './session.ts'
import { answerJson, startTestServer, type TestServer } from './test/server.ts'
import { tokenKey } from './token-key.ts'

const now = 1_700_000_000
const claims = {
  sub: { id: 1, firstname: 'Zoë', lastname: 'Müller', administrator: false, superadmin: false },
  jti: '0b8f0c5e-6a0e-4f7e-9d0c-2f5b8a1c3d4e',
  iat: now,
  permissions: ['EmmaCampaign:get'],
  view_role: null,
}
const tokenUntil = (exp: number) =>
  `h.${Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')}.s`

let server: TestServer
let session: Session
let replaceToken: ReplaceToken
let kept: Map<string, string>

beforeEach(async () => {
  server = await startTestServer(({ method, url, body }, response) => {
    if (method === 'GET') return answerJson(response, {})
    if (url.endsWith('/logout')) return response.writeHead(204).end()
    const isLogin = body.length > 0
    const isRight = !isLogin || String(body).includes('right')
    if (!isRight) return answerJson(response, { error: 'Wrong user or password', code: 'wrong_login' }, 401)
    answerJson(response, { token: tokenUntil(now + 43_200) })
  })
  kept = new Map()
  ;({ session, replaceToken } = createSession({
    apiHost: server.apiHost,
    store: {
      getItem: key => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: key => void kept.delete(key),
    },
    now: () => now,
  }))
})
afterEach(() => server.close())

test('R152 a login stores its token and returns the claims', async () => {
  expect((await session.login('zoe', 'right')).sub.firstname).toBe('Zoë')
  expect(session.claims()?.sub.lastname).toBe('Müller')
  expect(JSON.parse(String(server.calls[0]?.body))).toEqual({ username: 'zoe', password: 'right' })
})

test('R152 a rejected login stores nothing', async () => {
  await expect(session.login('zoe', 'nope')).rejects.toThrow('Wrong user or password')
  expect(session.token()).toBeNull()
})

test('R139 R317 without a token there is no session', async () => {
  await expect(session.authenticate()).rejects.toThrow('No token found!')
  expect(server.calls).toHaveLength(0)
})

test('R139 R317 an expired token is removed', async () => {
  kept.set(tokenKey, tokenUntil(now - 1))
  await expect(session.authenticate()).rejects.toThrow('Login token has expired!')
  expect(session.token()).toBeNull()
})

test('R153 a token with more than an hour left is verified', async () => {
  kept.set(tokenKey, tokenUntil(now + 3600))
  await session.authenticate()
  expect(server.calls.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /auth/token'])
})

test('R139 R152 a token with less than an hour left is renewed by an empty login', async () => {
  const old = tokenUntil(now + 3599)
  kept.set(tokenKey, old)
  await session.renewWhenDue()
  expect(server.calls[0]).toMatchObject({
    method: 'POST',
    url: '/auth/login',
    headers: { authorization: `Bearer ${old}` },
  })
  expect(server.calls[0]?.body).toHaveLength(0)
  expect(session.claims()?.exp).toBe(now + 43_200)
})

test('R139 callers that wait for a token replacement get the new one', async () => {
  kept.set(tokenKey, tokenUntil(now + 5000))
  const { promise, resolve } = Promise.withResolvers<{ token: string }>()
  const replaced = replaceToken(() => promise)
  const settled = session.settled().then(() => session.claims()?.exp)
  resolve({ token: tokenUntil(now + 43_200) })
  expect(await settled).toBe(now + 43_200)
  expect((await replaced).claims.exp).toBe(now + 43_200)
})

test('R139 a token whose replacement fails stays', async () => {
  kept.set(tokenKey, tokenUntil(now + 5000))
  const replaced = replaceToken(() => Promise.reject(new Error('no')))
  await session.settled()
  await expect(replaced).rejects.toThrow('no')
  expect(session.claims()?.exp).toBe(now + 5000)
})

test('R154 a logout deletes the token even if the server is unreachable', async () => {
  kept.set(tokenKey, tokenUntil(now + 5000))
  await server.close()
  await expect(session.logout()).rejects.toThrow('fetch failed')
  expect(session.token()).toBeNull()
  server = await startTestServer((_, response) => answerJson(response, {}))
})

test.each(['', 'nonsense', 'a.e30.c', `a.${btoa('{"sub":"1"}')}.c`])('R315 %j is not a token', token => {
  expect(() => decodeToken(token)).toThrow('token invalid')
})
