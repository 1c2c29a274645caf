import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ EMMA_SENTRY_DSN: 'https://key@sentry.example/7' })
})
afterAll(() => app.close())

const report = { message: 'x is undefined', stack: 'at a.js:1', path: '/dashboard' }

test('R021 accepts a console error without login', async () => {
  expect(await app.call('POST', '/client-error', { body: report })).toMatchObject({ status: 200 })
})

test.each([
  ['a long message', { ...report, message: 'x'.repeat(1001) }],
  ['a long stack', { ...report, stack: 'x'.repeat(8001) }],
  ['an unknown field', { ...report, token: 'secret' }],
])('R021 %s is rejected', async (_, body) => {
  expect((await app.call('POST', '/client-error', { body })).status).toBe(422)
})

test('R021 after thirty a minute an address is rate limited', async () => {
  const remoteAddress = '198.51.100.7'
  const send = () => app.call('POST', '/client-error', { body: report, remoteAddress })
  const first = await Promise.all(Array.from({ length: 30 }, send))
  expect(new Set(first.map(answer => answer.status))).toEqual(new Set([200]))
  expect((await send()).status).toBe(429)
})

test('R021 the console gets the Sentry project, and may connect to it', async () => {
  const answer = await app.call('GET', '/client-error')
  expect(answer.json).toEqual({ dsn: 'https://key@sentry.example/7' })
  expect(answer.headers['content-security-policy']).toMatch(/connect-src [^;]*https:\/\/sentry\.example/)
})
