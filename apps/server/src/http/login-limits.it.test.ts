import { EmmaError } from '@emma/contract/errors.ts'
import { createAccount } from '@emma/core/account/create-account.ts'
import { findLocks, mayRequestLink, reserveLogin } from '@emma/core/account/login-attempts.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { addressGroup } from '../network/address-group.ts'
import { createApi } from './create-api.ts'
import { startTestApp, type TestApp } from '../test/app.ts'

const password = 'correct horse battery'
let app: TestApp
let accounts = 0
let me: { id: number; username: string }

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  accounts += 1
  const username = `Nora${accounts}`
  me = await createAccount(app.db, { username, email: `${username}@example.test`, password })
})

const logIn = (remoteAddress: string, secret = password, username = me.username) =>
  app.call('POST', '/auth/login', { remoteAddress, body: { username, password: secret } })

async function fail(address: string, times: number, username = me.username): Promise<number[]> {
  const statuses = []
  for (let count = 0; count < times; count += 1)
    statuses.push((await logIn(address, 'wrong password', username)).status)
  return statuses
}

/** The per-process rate limit of an address is tested elsewhere. */
const address = (number: number) => `10.${100 + accounts}.${number >> 8}.${number & 255}`

test('R227 login limit: existing accounts and unknown names get the same answers', async () => {
  for (const [index, username] of [me.username, `nobody${accounts}`].entries()) {
    const from = address(index)
    expect(await fail(from, 12, username)).toEqual([...Array<number>(10).fill(401), 423, 423])
    expect(await logIn(from, password, username.toUpperCase())).toMatchObject({
      status: 423,
      error: { code: 'locked' },
    })
  }
})

test('login limit: attempts from one address lock out no other', async () => {
  await fail(address(1), 11)
  expect(await logIn(address(2))).toMatchObject({ status: 200 })
})

test('login limit: of many concurrent attempts no more pass than of sequential ones', async () => {
  const answers = await Promise.all(Array.from({ length: 18 }, () => logIn(address(1), 'wrong password')))
  expect(answers.filter(({ status }) => status === 423)).toHaveLength(8)
  expect(await logIn(address(1))).toMatchObject({ status: 423 })
})

test('login limit: applies over several API processes', async () => {
  const logger = createLogger('api', 'silent')
  const second = await createApi({ config: app.config, db: app.db, pool: app.pool, logger })
  await fail(address(1), 10)
  const answer = await second.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: address(1),
    payload: { username: me.username, password },
  })
  expect(answer.statusCode).toBe(423)
  await second.close()
})

test('login limit: many addresses lock an account for new addresses, not for known ones', async () => {
  expect(await logIn(address(0))).toMatchObject({ status: 200 })
  for (let number = 1; number <= 20; number += 1) await fail(address(number), 5)
  expect(await logIn(address(30))).toMatchObject({ status: 423 })
  expect(await logIn(address(0))).toMatchObject({ status: 200 })
  // Success at a known address does not unlock others.
  expect(await logIn(address(30))).toMatchObject({ status: 423 })
})

/** Without HTTP, whose rate limit is per process. */
async function tryLogin(username: string, from: string): Promise<string> {
  return reserveLogin(app.db, { username, address: from }).then(
    () => 'passed',
    (error: unknown) => (error instanceof EmmaError ? error.code : String(error)),
  )
}

test('login limit: an address that fails with many names is locked', async () => {
  const answers = []
  for (let number = 0; number < 101; number += 1)
    answers.push(await tryLogin(`name${accounts}-${number}`, addressGroup(`2001:db8::${number}`)))
  expect(new Set(answers.slice(0, 100))).toEqual(new Set(['passed']))
  expect(answers[100]).toBe('locked')
})

test('login limit: a success resets the count of its address', async () => {
  for (let round = 0; round < 2; round += 1) {
    expect(await fail(address(round), 9)).not.toContain(423)
    expect(await logIn(address(round))).toMatchObject({ status: 200 })
  }
})

test('login limit: each lock lasts twice as long as the last one, at most a day', async () => {
  const minutes = async () => {
    await sql`update login_attempt set locked_until = now() - interval '1 second' where user_id = ${me.id}`.execute(
      app.db,
    )
    for (let count = 0; count < 10; count += 1) await tryLogin(me.username, address(1))
    const until = (await findLocks(app.db, [me.id])).get(me.id) ?? ''
    return Math.round((Date.parse(until) - Date.now()) / 60_000)
  }
  expect([await minutes(), await minutes(), await minutes()]).toEqual([15, 30, 60])
  await sql`update login_attempt set lockouts = 50 where user_id = ${me.id}`.execute(app.db)
  expect(await minutes()).toBe(1440)
})

test('login limit: names and passwords entered as names are not stored', async () => {
  await logIn(address(1), 'wrong password', 'my secret typed here')
  const { rows } = await sql<{ text: string }>`
    select string_agg(a::text, ' ') || string_agg(encode(key, 'escape'), ' ') as text from login_attempt a`.execute(
    app.db,
  )
  expect(rows[0]?.text).not.toContain('my secret')
})

test('own account: wrong passwords and codes count together, a correct one does not reset them', async () => {
  const { token } = (await logIn(address(1))).json
  const change = (old_password: string, number: number) =>
    app.call('POST', `/user/${me.id}/second-factor`, {
      token: String(token),
      remoteAddress: address(number),
      body: { old_password },
    })
  for (let number = 0; number < 9; number += 1)
    expect(await change('wrong password', number)).toMatchObject({ status: 422 })
  expect(await change(password, 20)).toMatchObject({ status: 200 })
  const confirm = await app.call('PUT', `/user/${me.id}/second-factor`, {
    token: String(token),
    body: { code: '000000' },
  })
  expect(confirm.status).toBe(422)
  expect(await change(password, 21)).toMatchObject({ status: 423 })
})

test('password links: an address may request 20 an hour', async () => {
  const answers = []
  for (let count = 0; count < 21; count += 1) answers.push(await mayRequestLink(app.db, address(1)))
  expect(answers).toEqual([...Array<boolean>(20).fill(true), false])
})
