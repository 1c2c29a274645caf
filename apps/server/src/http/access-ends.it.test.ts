import { longestSessionSeconds } from '@emma/contract/session.ts'
import { createApiToken } from '@emma/core/account/api-tokens.ts'
import { createAccount } from '@emma/core/account/create-account.ts'
import { makePasswordLink, requestPasswordReset, resetPassword } from '@emma/core/account/password-reset.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { sql } from 'kysely'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

const password = 'correct horse battery'
let app: TestApp
let root: string
let client: TestClient
let accounts = 0
let me: { id: number; username: string; email: string }
let token: string

beforeAll(async () => {
  app = await startTestApp()
  root = await app.logInSuperadmin()
  client = await addTestClient(app, root)
})
afterAll(() => app.close())
beforeEach(async () => {
  accounts += 1
  const account = { username: `olga${accounts}`, email: `olga${accounts}@example.test` }
  const { id } = await createAccount(app.db, { ...account, password })
  me = { id, ...account }
  await app.db.insertInto('user_client').values({ user_id: id, client_id: client.clientId }).execute()
  token = await logIn()
})

async function logIn(): Promise<string> {
  const body = { username: me.username, password }
  const answer = await app.call('POST', '/auth/login', { remoteAddress: `10.8.0.${accounts}`, body })
  expect(answer.status).toBe(200)
  return String(answer.json.token)
}

async function askForLink(): Promise<string> {
  const link = await requestPasswordReset(app.db, me.username)
  if (!link) throw new Error('no link')
  return link.token
}

const take = (link: string) => resetPassword(app.db, link, 'another password')
const used = { code: 'invalid', fields: [{ field: 'token' }] }
const patch = (id: number, body: object, as = root) => app.call('PATCH', `/user/${id}`, { token: as, body })
const profile = (email: string) => ({ firstname: 'O', lastname: 'P', email, old_password: password })

async function isConfirmed(): Promise<boolean> {
  const row = await app.db
    .selectFrom('app_user')
    .select('email_confirmed_at')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow()
  return row.email_confirmed_at !== null
}

test('password links: expire with a change of address, however it is changed', async () => {
  for (const [index, change] of [
    (email: string) => patch(me.id, { email }),
    (email: string) => app.call('PUT', `/user/${me.id}/profile`, { token, body: profile(email) }),
  ].entries()) {
    const link = await askForLink()
    expect(await change(`moved${accounts}-${index}@example.test`)).toMatchObject({ status: 200 })
    await expect(take(link)).rejects.toMatchObject(used)
  }
})

test('password links: expire with a change of password', async () => {
  const link = await askForLink()
  const body = { old_password: password, password: 'another password' }
  expect(await app.call('POST', `/user/${me.id}/password`, { token, body })).toMatchObject({ status: 200 })
  await expect(take(link)).rejects.toMatchObject(used)
})

test('deactivated users: links and API tokens stay invalid after reactivation', async () => {
  const link = await askForLink()
  const apiToken = await makeApiToken()
  expect(await app.call('GET', '/emma/campaign/', { token: apiToken })).toMatchObject({ status: 200 })
  await patch(me.id, { active: false })
  await patch(me.id, { active: true })
  await expect(take(link)).rejects.toMatchObject(used)
  expect(await app.call('GET', '/emma/campaign/', { token: apiToken })).toMatchObject({ status: 401 })
})

async function makeApiToken(): Promise<string> {
  await app.db
    .insertInto('user_role')
    .values({ user_id: me.id, role_id: client.ids.role ?? 0 })
    .execute()
  const actor = { ...systemActor(0), userId: me.id, superadmin: true }
  const input = { name: 'T', permissions: ['EmmaCampaign:get'], client_ids: [], days: 1 }
  return String((await createApiToken(app.db, actor, me.id, input)).token)
}

test('API tokens: end with a password reset, by link or by an administrator', async () => {
  const first = await makeApiToken()
  await take(await askForLink())
  expect(await app.call('GET', '/emma/campaign/', { token: first })).toMatchObject({ status: 401 })
  await app.db.deleteFrom('user_role').where('user_id', '=', me.id).execute()
  const second = await makeApiToken()
  await patch(me.id, { password: 'set by a superadmin' })
  expect(await app.call('GET', '/emma/campaign/', { token: second })).toMatchObject({ status: 401 })
})

test('sessions: end 30 days after the login, however often they are renewed', async () => {
  const age = async (seconds: number) => {
    const jti = String(decodeJwt(token).jti)
    await sql`update session set first_seen_at = now() - make_interval(secs => ${seconds}) where jti = ${jti}`.execute(
      app.db,
    )
  }
  await age(longestSessionSeconds - 3600)
  const renewed = await app.call('POST', '/auth/login', { token })
  expect(renewed.status).toBe(200)
  token = String(renewed.json.token)
  const { exp = 0, iat = 0 } = decodeJwt(token)
  expect(exp - iat).toBeLessThanOrEqual(3600)
  await age(longestSessionSeconds)
  expect(await app.call('POST', '/auth/login', { token })).toMatchObject({
    status: 401,
    error: { code: 'token_expired' },
  })
})

test('password links: at most three an hour and ten a day are mailed to an account', async () => {
  const count = async (times: number) => {
    let mailed = 0
    for (let turn = 0; turn < times; turn += 1)
      if (await requestPasswordReset(app.db, turn % 2 ? me.email : me.username)) mailed += 1
    return mailed
  }
  const together = await Promise.all(
    Array.from({ length: 5 }, () => requestPasswordReset(app.db, me.username)),
  )
  expect(together.filter(link => link !== null)).toHaveLength(3)
  const anHourLater = () =>
    sql`update password_reset set created_at = created_at - interval '61 minutes' where user_id = ${me.id}`.execute(
      app.db,
    )
  await anHourLater()
  expect(await count(4)).toBe(3)
  await anHourLater()
  expect(await count(4)).toBe(3)
  await anHourLater()
  expect(await count(4)).toBe(1)
  expect(await makePasswordLink(app.db, me.username)).toMatchObject({ username: me.username })
})

test('account address: belongs to one account', async () => {
  const other = await app.logIn({ clients: [client.clientId] })
  const taken = { status: 409, json: { fields: [{ field: 'email', message: 'exists already' }] } }
  expect(await patch(other.userId, { email: me.email.toUpperCase() })).toMatchObject(taken)
  const path = `/user/${me.id}/profile`
  const body = profile(`person${other.userId}@example.test`)
  await patch(other.userId, { email: body.email })
  expect(await app.call('PUT', path, { token, body })).toMatchObject(taken)
})

test('account address: confirmed by a mailed link, not by a printed one, nor after it has changed', async () => {
  expect(await isConfirmed()).toBe(true)
  const moved = `moved${accounts}@example.test`
  expect(await app.call('PUT', `/user/${me.id}/profile`, { token, body: profile(moved) })).toMatchObject({
    status: 200,
  })
  expect(await isConfirmed()).toBe(false)
  await take((await makePasswordLink(app.db, me.username)).token)
  expect(await isConfirmed()).toBe(false)
  await take(await askForLink())
  expect(await isConfirmed()).toBe(true)
})

test('account address: confirmed when a superadmin enters it, not when others do', async () => {
  const manager = await app.logIn({ clients: [client.clientId] })
  expect(await patch(me.id, { email: `a${accounts}@example.test` }, manager.token)).toMatchObject({
    status: 200,
  })
  expect(await isConfirmed()).toBe(false)
  expect(await patch(me.id, { firstname: 'Olga' })).toMatchObject({ status: 200 })
  expect(await isConfirmed()).toBe(false)
  expect(await patch(me.id, { email: `a${accounts}@example.test` })).toMatchObject({ status: 200 })
  expect(await isConfirmed()).toBe(true)
})

test('own account: password and address need the current password, also for user managers', async () => {
  const manager = await app.logIn({ clients: [client.clientId] })
  for (const [field, value] of [
    ['password', 'a stolen session'],
    ['email', 'thief@example.test'],
  ] as const)
    for (const method of ['PATCH', 'PUT'] as const) {
      const record = (await app.call('GET', `/user/${manager.userId}`, { token: root })).json
      const whole = { ...record, isDemo: undefined, locked_until: undefined, [field]: value }
      const body = method === 'PUT' ? whole : { [field]: value }
      const answer = await app.call(method, `/user/${manager.userId}`, { token: manager.token, body })
      expect(answer).toMatchObject({ status: 422, json: { fields: [{ field }] } })
    }
  const path = `/user:second-factor/${manager.userId}`
  expect(await app.call('DELETE', path, { token: manager.token })).toMatchObject({ status: 403 })
})

test('unlocking: not for users with more permissions, nor for oneself', async () => {
  const clerk = await app.logIn({
    clients: [client.clientId],
    permissions: ['User:get', 'User:patch', 'User:post'],
  })
  const manager = await app.logIn({ clients: [client.clientId] })
  const unlock = (id: number, as: string) => app.call('POST', `/user:unstuck/${id}`, { token: as })
  expect(await unlock(manager.userId, clerk.token)).toMatchObject({ status: 403 })
  expect(await unlock(clerk.userId, manager.token)).toMatchObject({ status: 200 })
})

test('delete test: allowed to users who may delete, and reveals nothing to others', async () => {
  const foreign = await addTestClient(app, root)
  const stranger = await app.logIn({ clients: [foreign.clientId] })
  const own = await app.logIn({ clients: [client.clientId] })
  const status = async (path: string) =>
    (await app.call('DELETE', `${path}?test=1`, { token: own.token })).status
  // Only superadmins delete clients: the answer is the same for any client.
  for (const id of [foreign.clientId, 999_999, client.clientId])
    expect(await status(`/emma/client/${id}`)).toBe(403)
  expect(await status(`/user/${stranger.userId}`)).toBe(404)
  expect(await status('/user/999999')).toBe(404)
  expect(await status(`/user/${own.userId}`)).toBe(409)
  expect(await status(`/user/${me.id}`)).toBe(200)
  expect(await status(`/role/${stranger.roleId}`)).toBe(403)
  expect(await status('/role/999999')).toBe(403)
})
