import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestPasswordReset, resetPassword } from '@emma/core/account/password-reset.ts'
import { openSession } from '@emma/core/account/sessions.ts'
import { hash } from '@node-rs/argon2'
import Provider from 'oidc-provider'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'

/** Claims of the provider about the next user. */
let person = {
  sub: 'x1',
  email: 'ada@company.test',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Byron',
}
let server: Server
let issuer: string
let app: TestApp
let root: { token: string; userId: number }
let addresses = 0

beforeAll(async () => {
  app = await startTestApp()
  root = await app.logIn({ clients: [], superadmin: true })
  server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', makeProvider().callback())
})
afterAll(async () => {
  await app.close()
  await new Promise(resolve => server.close(resolve))
})
beforeEach(() => save({}))

/** An independent implementation of the provider. The tests log in through its own API instead of its pages. */
function makeProvider(): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'emma',
        client_secret: 'the secret of emma',
        redirect_uris: [`${app.config.publicUrl}/login`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...person, sub: id }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    cookies: { keys: ['for tests only'] },
  })
  provider.use(async (context, next) => {
    if (context.path !== '/interaction') return next()
    const { prompt, params, grantId } = await provider.interactionDetails(context.req, context.res)
    if (params.login_hint === 'cancel')
      return provider.interactionFinished(context.req, context.res, { error: 'access_denied' })
    if (prompt.name === 'login')
      return provider.interactionFinished(context.req, context.res, { login: { accountId: person.sub } })
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: person.sub, clientId: 'emma' })
    grant?.addOIDCScope('openid email profile')
    const consent = { grantId: await grant?.save() }
    return provider.interactionFinished(
      context.req,
      context.res,
      { consent },
      { mergeWithLastSubmission: true },
    )
  })
  return provider
}

const settings = () => ({
  is_enabled: true,
  name: 'Company Login',
  issuer,
  client_id: 'emma',
  client_secret: 'the secret of emma',
  domains: [] as string[],
  role_id: null as number | null,
  tenant_id: null as number | null,
})

function save(changes: object) {
  return app.call('PUT', '/v2/system-settings/sign-in', {
    token: root.token,
    body: { ...settings(), ...changes },
  })
}

function ask(method: 'GET' | 'POST' | 'PUT', body?: unknown, cookie?: string) {
  addresses += 1
  return app.call(method, '/auth/provider', {
    remoteAddress: `10.3.${addresses >> 8}.${addresses & 255}`,
    ...(body === undefined ? {} : { body }),
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  })
}

/** Simulates the browser: to the provider, through its pages, back to the login screen. */
async function begin(): Promise<{ url: string; cookie: string }> {
  const begun = await ask('POST')
  expect(begun).toMatchObject({ status: 200 })
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? ''
  return { url: String(begun.json.url), cookie }
}

async function walk(url: string): Promise<string> {
  const jar = new Map<string, string>()
  let next = url
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`The provider stopped: ${answer.status} ${await answer.text()}`)
    next = new URL(location, next).href
    if (next.startsWith(app.config.publicUrl)) return new URL(next).search.slice(1)
  }
  throw new Error('The provider never came back')
}

async function signIn() {
  const { url, cookie } = await begin()
  return ask('PUT', { answer: await walk(url) }, cookie)
}

async function addUser(username: string, email: string, changes: object = {}): Promise<number> {
  const { id } = await app.db
    .insertInto('app_user')
    .values({
      username,
      email,
      firstname: 'A',
      lastname: 'B',
      email_confirmed_at: new Date().toISOString(),
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a verified address of an account signs in, and is identified by its subject from then on', async () => {
  expect((await ask('GET')).json).toEqual({ name: 'Company Login' })
  const id = await addUser('ada', 'Ada@company.test')
  const first = await signIn()
  expect(first).toMatchObject({ status: 200 })
  const session = await app.call('GET', '/auth/token', { token: String(first.json.token) })
  expect(session.json).toMatchObject({ sub: { id } })
  expect((await app.call('GET', `/user/${id}/session/`, { token: root.token })).json.data).toMatchObject([
    { method: 'oidc' },
  ])
  person = { ...person, email: 'moved@company.test' }
  expect((await signIn()).json.token).toEqual(expect.any(String))
  expect(await app.db.selectFrom('user_identity').select('user_id').execute()).toEqual([{ user_id: id }])
  await app.db.updateTable('app_user').set({ active: false }).where('id', '=', id).execute()
  expect(await signIn()).toMatchObject({ status: 401, error: { code: 'sign_in_failed' } })
})

test('an address that the provider has not verified is rejected', async () => {
  await addUser('victim', 'victim@company.test')
  person = { ...person, sub: 'x2', email: 'victim@company.test', email_verified: false }
  expect(await signIn()).toMatchObject({
    status: 401,
    json: { reason: 'sign_in.unknown' },
  })
  await addUser('victim2', 'victim@company.test', { shares_email: true })
  person = { ...person, email_verified: true }
  expect(await signIn()).toMatchObject({
    status: 401,
    json: { reason: 'sign_in.several' },
  })
})

test('an address that is unconfirmed here is rejected until a link mailed to it is used', async () => {
  const id = await addUser('squatter', 'owner@company.test', { email_confirmed_at: null })
  person = { ...person, sub: 'x6', email: 'owner@company.test', email_verified: true }
  expect(await signIn()).toMatchObject({
    status: 401,
    json: { reason: 'sign_in.unconfirmed' },
  })
  const ties = app.db.selectFrom('user_identity').select('subject').where('user_id', '=', id)
  expect(await ties.execute()).toEqual([])
  const link = await requestPasswordReset(app.db, 'owner@company.test')
  await resetPassword(app.db, String(link?.token), 'chosen by the owner')
  expect(await signIn()).toMatchObject({ status: 200 })
})

test('a role that requires a second factor: the provider replaces it only while trusted for that', async () => {
  const id = await addUser('tess', 'tess@company.test')
  person = { ...person, sub: 'x7', email: 'tess@company.test', email_verified: true }
  const values = { name: 'Guarded', permissions: ['Role:get'], requires_second_factor: true }
  const role = await app.db.insertInto('role').values(values).returning('id').executeTakeFirstOrThrow()
  await app.db.insertInto('user_role').values({ user_id: id, role_id: role.id }).execute()
  const read = async (token: string) => {
    const [session, list] = [
      await app.call('GET', '/auth/token', { token }),
      await app.call('GET', '/role/', { token }),
    ]
    return { missing: session.json?.second_factor_missing, status: list.status }
  }
  const untrusted = String((await signIn()).json.token)
  expect(await read(untrusted)).toEqual({ missing: true, status: 403 })
  await save({ trusts_second_factor: true })
  const trusted = String((await signIn()).json.token)
  expect(await read(trusted)).toEqual({ missing: undefined, status: 200 })
  await save({ trusts_second_factor: false })
  expect(await read(trusted)).toMatchObject({ status: 401 })
})

test('new users get an account only if enabled, with its role and client, and only from the listed domains', async () => {
  person = { ...person, sub: 'x3', email: 'new@company.test', email_verified: true, given_name: 'Nora' }
  expect(await signIn()).toMatchObject({ status: 401 })
  const body = { name: 'North', contact_email: 'office@example.test', language: 'en', timezone: 'UTC' }
  const client = await app.call('POST', '/emma/client/', { token: root.token, body })
  const role = await app.call('POST', '/role/', { token: root.token, body: { name: 'Guest' } })
  const place = { role_id: role.json.id, tenant_id: client.json.client_id }
  expect(await save({ ...place, tenant_id: null })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'tenant_id' }] },
  })
  expect(await save({ ...place, role_id: 9999 })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'role_id' }] },
  })
  await save({ ...place, domains: ['other.test'] })
  expect(await signIn()).toMatchObject({ status: 401, json: { reason: 'sign_in.domain' } })
  await save({ ...place, domains: ['other.test', 'company.test'] })
  const made = await signIn()
  expect(made).toMatchObject({ status: 200 })
  const user = await app.call('GET', '/user/?search=new@company.test', { token: root.token })
  expect(user.json.data).toMatchObject([
    { firstname: 'Nora', roles: [role.json.id], clients: [client.json.client_id], has_password: false },
  ])
})

test('users with a second factor here are asked for it in the same browser, unless the provider is trusted', async () => {
  const id = await addUser('grace', 'grace@company.test')
  person = { ...person, sub: 'x5', email: 'grace@company.test', email_verified: true }
  expect(await signIn()).toMatchObject({ status: 200 })
  const [key, sealed] = await setSecondFactor(id)
  const first = await signIn()
  expect(first).toMatchObject({ status: 401, error: { code: 'second_factor_required' } })
  const ticket = lastCookie(first)
  const codeOf = (stepsAhead: number) =>
    generate({ secret: key, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 })
  const failed = { status: 401, error: { code: 'sign_in_failed' } }
  expect(await ask('PUT', { code: await codeOf(0) })).toMatchObject(failed)
  expect(await ask('PUT', { code: await codeOf(0) }, `${ticket}x`)).toMatchObject(failed)
  expect(await ask('PUT', {}, ticket)).toMatchObject({ error: { code: 'second_factor_required' } })
  const wrong = await ask('PUT', { code: '000000' }, ticket)
  expect(wrong).toMatchObject({ status: 401, error: { code: 'second_factor_wrong' } })
  // The current code was used up by the setup.
  const code = await codeOf(1)
  const done = await ask('PUT', { code }, lastCookie(wrong))
  expect(done).toMatchObject({ status: 200, json: { token: expect.any(String) } })
  expect(lastCookie(done)).toBe('emma_sign_in=')
  // A code works once, and too many wrong ones lock this login like the other one.
  expect(await ask('PUT', { code }, ticket)).toMatchObject({ status: 401 })
  const guess = (code: string) =>
    app.call('PUT', '/auth/provider', {
      remoteAddress: '10.7.0.3',
      body: { code },
      headers: { cookie: ticket },
    })
  for (let count = 0; count < 10; count += 1) await guess('000000')
  expect(await guess(await codeOf(1))).toMatchObject({ error: { code: 'locked' } })
  await save({ trusts_second_factor: true })
  expect(await signIn()).toMatchObject({ status: 200 })
  expect(sealed).not.toContain(key)
})

/** Sets up and confirms a second factor over the API. Returns its key and the stored value. */
async function setSecondFactor(id: number): Promise<[key: string, kept: string]> {
  const password = 'a password of grace'
  const hashed = await hash(password)
  await app.db.updateTable('app_user').set({ password_hash: hashed }).where('id', '=', id).execute()
  const session = await openSession(app.db, app.config.deriveKey('session'), id, {
    ip: null,
    userAgent: null,
  })
  const path = `/user/${id}/second-factor`
  const begun = await app.call('POST', path, { token: session, body: { old_password: password } })
  const key = String(begun.json.key)
  const code = await generate({ secret: key, epoch: Math.floor(Date.now() / 1000) })
  expect(await app.call('PUT', path, { token: session, body: { code } })).toMatchObject({ status: 200 })
  const row = await app.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return [key, JSON.stringify(row)]
}

function lastCookie({ headers }: Answer): string {
  const set = headers['set-cookie']
  return String(Array.isArray(set) ? set.at(-1) : set).split(';')[0] ?? ''
}

test('a callback works once, in the same browser, with its own state', async () => {
  await addUser('eve', 'eve@company.test')
  person = { ...person, sub: 'x4', email: 'eve@company.test' }
  const [mine, other] = [await begin(), await begin()]
  const answer = await walk(mine.url)
  const refused = { status: 401, error: { code: 'sign_in_failed' } }
  expect(await ask('PUT', { answer })).toMatchObject(refused)
  expect(await ask('PUT', { answer }, other.cookie)).toMatchObject(refused)
  expect(await ask('PUT', { answer }, `${mine.cookie}x`)).toMatchObject(refused)
  const stateless = answer.replace(/state=[^&]+/, 'state=guessed')
  expect(await ask('PUT', { answer: stateless }, mine.cookie)).toMatchObject(refused)
  expect(await ask('PUT', { answer }, mine.cookie)).toMatchObject({ status: 200 })
  expect(await ask('PUT', { answer }, mine.cookie)).toMatchObject(refused)
  const cancelled = await begin()
  expect(
    await ask('PUT', { answer: await walk(`${cancelled.url}&login_hint=cancel`) }, cancelled.cookie),
  ).toMatchObject({ status: 401, json: { reason: 'sign_in.cancelled' } })
  const { url } = await begin()
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
  expect(new URL(url).searchParams.get('nonce')).toMatch(/.{20}/)
})

test('a wrong secret, a wrong issuer and an unavailable provider are reported', async () => {
  await save({ client_secret: 'wrong' })
  person = { ...person, sub: 'x4' }
  expect(await signIn()).toMatchObject({
    status: 401,
    json: { reason: 'sign_in.invalid_answer' },
  })
  expect(await save({ issuer: `${issuer}/nowhere` })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'issuer' }] },
  })
  expect(await save({ issuer: 'http://192.168.7.7' })).toMatchObject({ status: 422 })
  expect(await save({ is_enabled: false })).toMatchObject({
    status: 200,
    json: { sign_in: { secret_set: true } },
  })
  expect((await ask('GET')).json).toEqual({ name: null })
  expect(await ask('POST')).toMatchObject({ status: 401, error: { code: 'sign_in_failed' } })
})
