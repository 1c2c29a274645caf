import { permissionPage } from '@emma/contract/actions/platform.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { createAccount } from '@emma/core/account/create-account.ts'
import { makePasswordLink } from '@emma/core/account/password-reset.ts'
import { socketProtocols } from '@emma/contract/socket.ts'
import { transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql } from 'kysely'
import { decodeJwt, SignJWT } from 'jose'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startSystemMailServer, type SystemMailServer } from '../test/system-mail.ts'
import { type Ask, startTestApp, type TestApp } from '../test/app.ts'

const password = 'correct horse battery'
let mailServer: SystemMailServer
let received: SystemMailServer['received']

let app: TestApp
let root: { token: string; userId: number }
let clients: number[]
let people = 0
let addresses = 0
let me: { id: number; username: string }
let roleId: number

beforeAll(async () => {
  mailServer = await startSystemMailServer()
  ;({ received } = mailServer)
  app = await startTestApp()
  await mailServer.use(app.db)
  root = await app.logIn({ clients: [], superadmin: true })
  clients = []
  for (const name of ['North', 'South']) {
    const body = { name, contact_email: 'office@example.test', language: 'de', timezone: 'Europe/Berlin' }
    const made = await app.call('POST', '/emma/client/', { token: root.token, body })
    clients.push(Number(made.json.client_id))
  }
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})
beforeEach(async () => {
  people += 1
  const [username, email] = [`Mia${people}`, `mia${people}@example.test`]
  me = await createAccount(app.db, { username, email, firstname: 'Mia', lastname: 'Berg', password })
  ;({ id: roleId } = await app.db
    .insertInto('role')
    .values({
      name: `Role of Mia ${people}`,
      permissions: ['EmmaCampaign:get', 'EmmaMailclass:get', 'User:get'],
    })
    .returning('id')
    .executeTakeFirstOrThrow())
  await app.db.insertInto('user_role').values({ user_id: me.id, role_id: roleId }).execute()
  await app.db
    .insertInto('user_client')
    .values({ user_id: me.id, client_id: clients[0] ?? 0 })
    .execute()
})

/** Each call has its own IP address: rate limits by address are tested elsewhere. */
function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  token?: string,
  body?: unknown,
) {
  addresses += 1
  const from: Ask = { remoteAddress: `10.2.${addresses >> 8}.${addresses & 255}` }
  return app.call(method, path, { ...from, token, ...(body === undefined ? {} : { body }) })
}

async function logIn(code?: string): Promise<string> {
  const answer = await ask('POST', '/auth/login', undefined, { username: me.username, password, code })
  expect(answer).toMatchObject({ status: 200 })
  return String(answer.json.token)
}

const isOpen = async (token: string) => (await ask('GET', '/auth/token', token)).status === 200
/**
 * The current code is used up by the setup, so a login takes the next one: codes of adjacent half minutes are
 * accepted.
 */
const codeOf = (secret: string, stepsAhead = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 })

/** Sets up a second factor; returns its key, the recovery codes and the new session. */
async function addSecondFactor() {
  const path = `/user/${me.id}/second-factor`
  const begun = await ask('POST', path, await logIn(), { old_password: password })
  const key = String(begun.json.key)
  const set = await ask('PUT', path, await logIn(), { code: await codeOf(key) })
  expect(set).toMatchObject({ status: 200 })
  return { key, codes: set.json.recovery_codes as string[], token: String(set.json.token) }
}

/** Names of the specification. */
const entities =
  `EmmaCampaign EmmaCategoryValue EmmaDomain EmmaMailclass EmmaList EmmaReport EmmaMember EmmaMemberTable
  EmmaMessage EmmaPlaceholder EmmaTransactional EmmaClient EmmaBlacklist EmmaMultiBlacklist EmmaSubreportCampaign
  EmmaTestCampaign EmmaTestAddress EmmaEspReplacer EmmaEspSendfromid EmmaEspLogin IPCI ReportingGroup TestGroup SendVolume
  Dashboard Help User DomainSetupStatus BeePluginCatalog DataUpload WebForms Alerts`.split(/\s+/)

test('R143 R144 R230 every permission of the specification exists, for each of the four methods', async () => {
  const { names } = await listPermissions('', await logIn())
  expect(entities).toHaveLength(32)
  for (const entity of entities)
    for (const method of ['get', 'post', 'patch', 'delete']) expect(names).toContain(`${entity}:${method}`)
  for (const name of names) expect(name).toMatch(/^[A-Za-z]+:(get|post|patch|delete)$/)
  expect(new Set(names).size).toBe(names.length)
})

test('R230 R156 permissions are listed by category and by page, with the roles that have them', async () => {
  const all = await listPermissions('', root.token)
  expect(all.total).toBe(all.names.length)
  const some = await listPermissions('search=blacklist&method=delete', root.token)
  expect(some.names).toEqual(['EmmaBlacklist:delete', 'EmmaMultiBlacklist:delete'])
  const entity = await listPermissions('entity[]=IPCI&entity[]=User&limit=3&offset=4', root.token)
  expect(entity).toMatchObject({ names: ['User:get', 'User:post', 'User:patch'], total: 8 })
  const role = await app.logIn({ clients: [], permissions: ['IPCI:get', 'Role:get'] })
  const { rows } = await listPermissions('search=IPCI:get', root.token)
  expect(rows[0]?.roles.map(({ id }) => id)).toContain(role.roleId)
  const stranger = await app.logIn({ clients: [], permissions: ['EmmaCampaign:get'] })
  const hidden = await listPermissions('search=IPCI:get', stranger.token)
  expect(hidden.rows).toMatchObject([{ name: 'IPCI:get', roles: [] }])
  for (const wrong of ['limit=-1', 'entity=Nonsense', 'method=head', 'search=%00'])
    expect((await ask('GET', `/permission/?${wrong}`, root.token)).status).toBe(400)
})

async function listPermissions(query: string, token: string) {
  const { json } = await ask('GET', `/permission/?${query}`, token)
  const { data, pagination } = permissionPage.parse(json)
  return { rows: data, names: data.map(({ name }) => name), total: pagination.total }
}

test('a second factor is set up with the password, confirmed with a code, and required from then on', async () => {
  const path = `/user/${me.id}/second-factor`
  const [here, there] = [await logIn(), await logIn()]
  expect(await ask('POST', path, here, { old_password: 'wrong password' })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'old_password' }] },
  })
  const begun = await ask('POST', path, here, { old_password: password })
  const key = String(begun.json.key)
  expect(begun.json.picture).toContain('<svg')
  expect(begun.json.address).toContain(`secret=${key}`)
  // Not confirmed yet, so it is not required.
  expect(await isOpen(await logIn())).toBe(true)
  expect(await ask('PUT', path, here, { code: '000000' })).toMatchObject({ status: 422 })
  const set = await ask('PUT', path, here, { code: await codeOf(key) })
  expect(set.json.recovery_codes).toHaveLength(10)
  expect([await isOpen(here), await isOpen(there), await isOpen(String(set.json.token))]).toEqual([
    false,
    false,
    true,
  ])

  const login = (code?: string) =>
    ask('POST', '/auth/login', undefined, { username: me.username, password, code })
  expect(await login()).toMatchObject({ status: 401, error: { code: 'second_factor_required' } })
  expect(await login('123')).toMatchObject({ status: 401, error: { code: 'second_factor_wrong' } })
  const wrong = { username: me.username, password: 'wrong password' }
  expect(await ask('POST', '/auth/login', undefined, { ...wrong, code: await codeOf(key, 1) })).toMatchObject(
    {
      status: 401,
      error: { code: 'wrong_login' },
    },
  )
  const code = await codeOf(key, 1)
  expect(await login(code)).toMatchObject({ status: 200 })
  expect(await login(code)).toMatchObject({ status: 401, error: { code: 'second_factor_wrong' } })
  expect(await login(await codeOf(key))).toMatchObject({ status: 401 })
})

test('of two concurrent logins with the same code one succeeds', async () => {
  const { key } = await addSecondFactor()
  const code = await codeOf(key, 1)
  const answers = await Promise.all(
    [1, 2, 3].map(() => ask('POST', '/auth/login', undefined, { username: me.username, password, code })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(2)
})

test('a recovery code works once, in any spelling; wrong codes lock the account', async () => {
  const { codes } = await addSecondFactor()
  expect(await isOpen(await logIn(codes[0]?.toUpperCase().replaceAll('-', ' ')))).toBe(true)
  const login = (code?: string) =>
    app.call('POST', '/auth/login', {
      remoteAddress: '10.7.0.2',
      body: { username: me.username, password, code },
    })
  expect(await login(codes[0] ?? '')).toMatchObject({ status: 401, error: { code: 'second_factor_wrong' } })
  for (let count = 1; count < 10; count += 1) {
    await login('999999')
    // Asking for the code again does not reset the counter.
    if (count === 5) expect(await login()).toMatchObject({ error: { code: 'second_factor_required' } })
  }
  expect(await login(codes[1] ?? '')).toMatchObject({ status: 423 })
})

test('the operator can remove a second factor that was lost with all recovery codes', async () => {
  await addSecondFactor()
  await makePasswordLink(app.db, me.username)
  expect(await readFactor()).not.toBeNull()
  await makePasswordLink(app.db, me.username, { removesSecondFactor: true })
  expect(await readFactor()).toBeNull()
})

async function readFactor() {
  const { second_factor_since } = await app.db
    .selectFrom('app_user')
    .select('second_factor_since')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow()
  return second_factor_since
}

test('key and codes are not readable in the database, and removing the second factor needs proof', async () => {
  const { key, codes, token } = await addSecondFactor()
  const stored = await app.db
    .selectFrom('app_user')
    .select('second_factor_secret')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow()
  expect(stored.second_factor_secret?.toString('latin1')).not.toContain(key)
  const hashes = await app.db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('user_id', '=', me.id)
    .execute()
  expect(hashes.map(({ code_hash }) => code_hash.toString('latin1')).join()).not.toContain(codes[0])
  const path = `/user/${me.id}/second-factor`
  expect(await ask('DELETE', path, token, { old_password: password, code: '000000' })).toMatchObject({
    status: 422,
  })
  const removed = await ask('DELETE', path, token, { old_password: password, code: codes[3] })
  expect(removed).toMatchObject({ status: 200 })
  expect(await isOpen(token)).toBe(false)
  expect(await isOpen(await logIn())).toBe(true)
})

test('a role that requires a second factor grants no permissions without it', async () => {
  await app.db.updateTable('role').set({ requires_second_factor: true }).where('id', '=', roleId).execute()
  const bare = await logIn()
  expect(await ask('GET', '/auth/token', bare)).toMatchObject({
    json: { second_factor_missing: true, permissions: [] },
  })
  expect(await ask('GET', '/emma/campaign/', bare)).toMatchObject({ status: 403 })
  const { token } = await addSecondFactor()
  expect(await ask('GET', '/emma/campaign/', token)).toMatchObject({ status: 200 })
})

test('R155 an API token may call data routes within its permissions, but no account routes', async () => {
  const session = await logIn()
  const path = `/user/${me.id}/token/`
  const wish = { name: 'Nightly export', permissions: ['EmmaCampaign:get'], days: 30 }
  for (const permissions of [['EmmaCampaign:post'], ['User:patch'], ['Nothing:get'], []])
    expect(await ask('POST', path, session, { ...wish, permissions })).toMatchObject({
      status: 422,
      json: { fields: [{ field: expect.stringContaining('permissions') }] },
    })
  expect(await ask('POST', path, session, { ...wish, client_ids: [clients[1]] })).toMatchObject({
    status: 422,
  })
  expect(await ask('POST', `/user/${root.userId}/token/`, session, wish)).toMatchObject({ status: 404 })
  const made = await ask('POST', path, session, wish)
  expect(made).toMatchObject({ status: 201, json: { name: 'Nightly export', last_used_at: null } })
  const token = String(made.json.token)
  expect(token).toMatch(/^emma_[\w-]{43}$/)
  expect(token.startsWith(String(made.json.prefix))).toBe(true)
  const rows = await app.db.selectFrom('api_token').selectAll().where('user_id', '=', me.id).execute()
  expect(JSON.stringify(rows)).not.toContain(token)

  expect(await ask('GET', '/emma/campaign/', token)).toMatchObject({ status: 200 })
  expect(await ask('GET', '/emma/mailclass/', token)).toMatchObject({ status: 403 })
  for (const [method, address, body] of [
    ['GET', '/auth/token'],
    ['POST', '/auth/login'],
    ['POST', '/auth/view-as', { role_id: roleId }],
    ['POST', path, wish],
    ['GET', path],
    ['POST', `/user/${me.id}/password`, { old_password: password, password: 'another password' }],
    ['POST', `/user/${me.id}/second-factor`, { old_password: password }],
    ['POST', `/user/${me.id}/settings/`, { custom: {} }],
    ['GET', `/user/${me.id}/session/`],
  ] as const)
    expect({ address, status: (await ask(method, address, token, body)).status }).toEqual({
      address,
      status: 403,
    })
  expect((await ask('GET', path, session)).json.data).toMatchObject([
    {
      name: 'Nightly export',
      last_used_at: expect.any(String),
      last_used_ip: expect.stringContaining('10.2.'),
    },
  ])
})

test('an API token never has more permissions than its owner at that moment', async () => {
  const session = await logIn()
  const wish = { name: 'T', permissions: ['EmmaCampaign:get'], days: 1 }
  const token = String((await ask('POST', `/user/${me.id}/token/`, session, wish)).json.token)
  const status = async () => (await ask('GET', '/emma/campaign/', token)).status
  expect(await status()).toBe(200)
  await app.db.updateTable('role').set({ permissions: [] }).where('id', '=', roleId).execute()
  expect(await status()).toBe(403)
  await app.db
    .updateTable('role')
    .set({ permissions: ['EmmaCampaign:get'] })
    .where('id', '=', roleId)
    .execute()
  const filtered = () => ask('GET', `/emma/campaign/?client_id[]=${clients[0]}`, token)
  expect(await filtered()).toMatchObject({ status: 200 })
  await app.db.deleteFrom('user_client').where('user_id', '=', me.id).execute()
  expect(await filtered()).toMatchObject({ status: 404 })
  await app.db
    .updateTable('api_token')
    .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
    .where('user_id', '=', me.id)
    .execute()
  expect(await ask('GET', '/emma/campaign/', token)).toMatchObject({
    status: 401,
    json: { error: 'Expired token' },
  })
  expect(await ask('GET', '/emma/campaign/', `${token}x`)).toMatchObject({ status: 401 })
})

test('a superadmin’s API token is not a superadmin, and can be revoked by others', async () => {
  const wish = {
    name: 'All campaigns',
    permissions: ['EmmaCampaign:get', 'Role:get'],
    client_ids: [clients[1]],
    days: 1,
  }
  const made = await ask('POST', `/user/${root.userId}/token/`, root.token, wish)
  const token = String(made.json.token)
  expect(await ask('GET', `/emma/campaign/?client_id[]=${clients[1]}`, token)).toMatchObject({ status: 200 })
  expect(await ask('GET', `/emma/campaign/?client_id[]=${clients[0]}`, token)).toMatchObject({ status: 404 })
  expect(await ask('PUT', `/role/${roleId}/permission`, token, { permissions: [] })).toMatchObject({
    status: 403,
  })
  expect(await ask('GET', '/v2/system-settings', token)).toMatchObject({ status: 403 })
  const session = await logIn()
  const path = `/user/${root.userId}/token/${Number(made.json.id)}`
  expect((await ask('DELETE', path, session)).status).toBe(403)
  expect(await ask('DELETE', path, root.token)).toMatchObject({ status: 200 })
  expect(await ask('GET', '/emma/campaign/', token)).toMatchObject({ status: 401 })
  expect(await ask('DELETE', path, root.token)).toMatchObject({ status: 404 })
})

test('R154 sessions are listed, and end one by one or all except this one', async () => {
  const [here, there, third] = [await logIn(), await logIn(), await logIn()]
  const path = `/user/${me.id}/session/`
  const listed = (await ask('GET', path, here)).json.data as { id: string; is_current: boolean; ip: string }[]
  expect(listed).toHaveLength(3)
  expect(listed.filter(({ is_current }) => is_current)).toHaveLength(1)
  expect(listed[0]).toMatchObject({
    method: 'password',
    ip: expect.any(String),
    first_seen_at: expect.any(String),
  })
  const [, , oldest] = listed.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))
  expect(await ask('DELETE', `${path}${oldest?.id}`, here)).toMatchObject({ status: 200 })
  expect([await isOpen(here), [await isOpen(there), await isOpen(third)].filter(Boolean).length]).toEqual([
    true,
    1,
  ])
  expect(await ask('DELETE', `${path}${oldest?.id}`, here)).toMatchObject({ status: 404 })
  expect(await ask('DELETE', path, here)).toMatchObject({ status: 200, json: { ended: 1 } })
  expect([await isOpen(here), await isOpen(there), await isOpen(third)]).toEqual([true, false, false])
  expect((await ask('GET', `/user/${root.userId}/session/`, here)).status).toBe(403)
  expect((await ask('GET', path, root.token)).json.data).toHaveLength(1)
})

test('R291 the socket of a session closes when the session ends', async () => {
  const token = await logIn()
  const socket = await openSocket(token)
  const closed = new Promise<CloseEvent>(resolve => socket.addEventListener('close', resolve))
  await ask('POST', '/auth/logout', token)
  expect((await closed).code).toBe(1008)
})

test('R291 a socket closes when its token expires, and accepts no token in the URL', async () => {
  const claims = decodeJwt(await logIn())
  const exp = Math.floor(Date.now() / 1000) + 1
  const key = app.config.deriveKey('session')
  const short = await new SignJWT({ ...claims, exp }).setProtectedHeader({ alg: 'HS256' }).sign(key)
  expect(await closeCode(await openSocket(short))).toBe(1008)
  expect(await closeCode(await openSocket('none', `?token=${await logIn()}`))).toBe(1008)
})

test('R291 a console also receives events from while its token is checked', async () => {
  const [inside, late] = [await openSocket(await logIn()), await logIn()]
  const tell = (message: string) => publish(app.db, { client_id: null, type: 'ERROR', data: { message } })
  const letIn = heard(inside, 'Out of paper')
  await tell('Out of paper')
  await letIn
  const told = await transaction(app.db, async tx => {
    await sql`lock table session in access exclusive mode`.execute(tx)
    const arriving = heard(await openSocket(late), 'Out of ink')
    const passed = heard(inside, 'Out of ink')
    await tell('Out of ink')
    await passed
    return { arriving }
  })
  await told.arriving
})

test('R150 R151 R229 a permission removed from a role ends at once, and the token shows it', async () => {
  const token = await logIn()
  expect(await ask('GET', '/emma/mailclass/', token)).toMatchObject({ status: 200 })
  const path = `/role/${roleId}/permission`
  expect((await ask('GET', path, root.token)).json.permissions).toContain('EmmaMailclass:get')
  expect(await ask('PUT', path, root.token, { permissions: ['Nonsense:get'] })).toMatchObject({ status: 422 })
  expect(await ask('PUT', path, root.token, { permissions: ['EmmaCampaign:get'] })).toMatchObject({
    status: 200,
    json: { permissions: ['EmmaCampaign:get'] },
  })
  expect(await ask('GET', '/emma/mailclass/', token)).toMatchObject({
    status: 403,
    json: { error: 'Forbidden' },
  })
  expect((await ask('GET', '/auth/token', token)).json.permissions).toEqual(['EmmaCampaign:get'])
  expect(await ask('PUT', path, token, { permissions: [] })).toMatchObject({ status: 403 })
})

test('R226 a client is assigned to a user and removed', async () => {
  const path = `/user/${me.id}/client/${clients[1]}/`
  expect(await ask('GET', path, root.token)).toMatchObject({ status: 404 })
  expect(await ask('POST', path, root.token)).toMatchObject({
    json: { user_id: me.id, client_id: clients[1] },
  })
  expect(await ask('GET', path, root.token)).toMatchObject({ status: 200 })
  expect((await ask('GET', `/user/${me.id}`, root.token)).json.clients).toEqual(clients)
  expect(await ask('DELETE', path, root.token)).toMatchObject({ status: 200 })
  expect(await ask('GET', path, root.token)).toMatchObject({ status: 404 })
  const clerk = await app.logIn({ clients: [clients[0] ?? 0] })
  expect(await ask('POST', path, clerk.token)).toMatchObject({ status: 404 })
})

test('R227 unstuck unlocks an account and releases stuck jobs, and reports it', async () => {
  const token = await logIn()
  for (let count = 0; count < 10; count += 1) await wrongLogin('10.7.0.1')
  expect(await wrongLogin('10.7.0.1')).toMatchObject({ status: 423 })
  expect((await ask('GET', `/user/${me.id}`, root.token)).json.locked_until).toEqual(expect.any(String))
  const { id } = await app.db
    .insertInto('data_upload')
    .values({
      client_id: clients[0] ?? 0,
      filename: 'people.csv',
      status: 2,
      created_by: me.id,
      updated_at: new Date(Date.now() - 3_600_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await ask('POST', `/user:unstuck/${me.id}`, await logInAs('User:get'))).toMatchObject({
    status: 403,
  })
  expect(await ask('POST', `/user:unstuck/${me.id}`, root.token)).toMatchObject({
    status: 200,
    json: { sessions: 1, jobs: 1 },
  })
  expect(await isOpen(token)).toBe(false)
  expect((await ask('GET', `/user/${me.id}`, root.token)).json.locked_until).toBeNull()
  expect(await wrongLogin('10.7.0.1')).toMatchObject({ status: 401 })
  const upload = await app.db
    .selectFrom('data_upload')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(upload.status).toBe(1)
})

async function logInAs(...permissions: string[]): Promise<string> {
  const { token } = await app.logIn({ clients: [clients[0] ?? 0], permissions })
  return token
}

const wrongLogin = (remoteAddress: string, username = me.username) =>
  app.call('POST', '/auth/login', { remoteAddress, body: { username, password: 'wrong password' } })

test('an invitation is in the user’s language, works once, and only the latest one', async () => {
  await app.db.updateTable('app_user').set({ password_hash: null }).where('id', '=', me.id).execute()
  const invite = () => ask('POST', `/user:invite/${me.id}`, root.token)
  expect(await invite()).toMatchObject({ status: 200 })
  expect(await invite()).toMatchObject({ status: 200 })
  const mails = received.filter(({ to }) => to === `mia${people}@example.test`)
  expect(mails[0]?.text).toContain('Ihr Konto bei EMMA')
  expect(mails[0]?.text).toContain('<html lang="de">')
  const tokens = mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1])
  const take = (token = '') => ask('PUT', '/password-reset/', undefined, { token, password })
  expect(await take(tokens[0])).toMatchObject({ status: 422 })
  expect(await take(tokens[1])).toMatchObject({ status: 200 })
  expect(await take(tokens[1])).toMatchObject({ status: 422 })
  expect(await isOpen(await logIn())).toBe(true)
  const reader = await logInAs('User:get', 'User:patch')
  expect(await ask('POST', `/user:invite/${root.userId}`, reader)).toMatchObject({ status: 404 })
})

test('R239 a reset is answered with 202 for any name, and mailed in the user’s language', async () => {
  await app.db
    .insertInto('user_settings')
    .values({ user_id: me.id, client_id: clients[0] ?? 0, custom: JSON.stringify({ language: 'es' }) })
    .execute()
  for (const username of [me.username, 'nobody at all'])
    expect(await ask('POST', '/password-reset/', undefined, { username })).toMatchObject({
      status: 202,
      json: { ok: true },
    })
  const find = () => received.find(({ to }) => to === `mia${people}@example.test`)
  await expect.poll(find).toBeDefined()
  const mail = find()
  expect(mail?.text).toContain('lang="es"')
  const expiry = await app.db
    .selectFrom('password_reset')
    .select('expires_at')
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  expect(Math.round((Date.parse(expiry.expires_at) - Date.now()) / 60_000)).toBe(60)
})

test('a manager who shares only some clients with a user cannot take over the account', async () => {
  const helper = await app.logIn({ clients: [clients[0] ?? 0] })
  const patch = (body: object) => ask('PATCH', `/user/${me.id}`, helper.token, body)
  expect(await patch({ email: 'new@example.test' })).toMatchObject({ status: 200 })
  await app.db
    .insertInto('user_client')
    .values({ user_id: me.id, client_id: clients[1] ?? 0 })
    .execute()
  for (const body of [
    { password: 'a known password' },
    { email: 'helper@example.test' },
    { username: 'taken' },
  ])
    expect(await patch(body)).toMatchObject({ status: 403 })
  expect(await ask('POST', `/user:invite/${me.id}`, helper.token)).toMatchObject({ status: 403 })
  expect(await ask('DELETE', `/user:second-factor/${me.id}`, helper.token)).toMatchObject({ status: 403 })
  expect(await patch({ firstname: 'Maria' })).toMatchObject({ status: 200 })
})

test('the own profile can be changed, its address with the password only', async () => {
  const token = await logIn()
  const path = `/user/${me.id}/profile`
  const profile = { firstname: 'Mia', lastname: 'Tal', email: `mia${people}@example.test` }
  expect(await ask('PUT', path, token, profile)).toMatchObject({ status: 200, json: { lastname: 'Tal' } })
  const moved = { ...profile, email: 'elsewhere@example.test' }
  expect(await ask('PUT', path, token, moved)).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'old_password' }] },
  })
  expect(await ask('PUT', path, token, { ...moved, old_password: 'wrong password' })).toMatchObject({
    status: 422,
  })
  expect(await ask('PUT', path, token, { ...moved, old_password: password })).toMatchObject({
    status: 200,
    json: { email: profile.email, pending_email: moved.email },
  })
  expect(await ask('GET', `/user/${root.userId}/profile`, token)).toMatchObject({ status: 404 })
})

/** Returns the token of the latest link mailed to the address. */
function confirmationFor(address: string): string {
  const mails = received.filter(({ to }) => to === address)
  return /email_token=([\w.-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}

test('a new own address applies once the user opens its link, and the old one is notified', async () => {
  const token = await logIn()
  const path = `/user/${me.id}`
  const before = `mia${people}@example.test`
  const [first, second] = [`first${people}@example.test`, `second${people}@example.test`]
  const change = (email: string) =>
    ask('PUT', `${path}/profile`, token, { firstname: 'Ina', lastname: 'Tal', email, old_password: password })
  const confirm = (link: string, of = path, as = token) => ask('PUT', `${of}/email`, as, { token: link })
  const refused = { status: 422, json: { fields: [{ field: 'token' }] } }

  expect(await change(first)).toMatchObject({
    status: 200,
    json: { firstname: 'Ina', email: before, pending_email: first },
  })
  const notices = received.filter(({ to }) => to === before)
  expect(notices).toHaveLength(1)
  expect(notices[0]?.text).toContain(first)
  expect(notices[0]?.text).not.toContain('email_token')
  const link = confirmationFor(first)
  // A mistyped address belongs to somebody else: without the session the link has no effect.
  expect(await ask('PUT', `${path}/email`, undefined, { token: link })).toMatchObject({ status: 401 })
  expect(await confirm(link, path, root.token)).toMatchObject({ status: 404 })
  expect(await confirm(link, `/user/${root.userId}`, root.token)).toMatchObject(refused)
  expect(await confirm(`${link}x`)).toMatchObject(refused)
  expect((await ask('GET', `${path}/profile`, token)).json.email).toBe(before)

  await change(second)
  expect(await confirm(link)).toMatchObject({ status: 200, json: { email: first } })
  expect(await confirm(link)).toMatchObject(refused)
  expect(await confirm(confirmationFor(second))).toMatchObject(refused)
  const { email_confirmed_at: confirmedAt } = await app.db
    .selectFrom('app_user')
    .select('email_confirmed_at')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow()
  expect(confirmedAt).not.toBeNull()

  // A new password cancels requests made with the old one.
  await change(second)
  const own = await ask('POST', `${path}/password`, token, {
    old_password: password,
    password: 'battery horse',
  })
  expect(await confirm(confirmationFor(second), path, String(own.json.token))).toMatchObject(refused)
})

test('an address changed by an administrator: the former one is notified once, without the new one', async () => {
  const [before, after] = [`mia${people}@example.test`, `moved${people}@example.test`]
  const patch = (body: object) => ask('PATCH', `/user/${me.id}`, root.token, body)
  const told = (address: string) => received.filter(({ to }) => to === address)
  expect(await patch({ firstname: 'Maria', email: before.toUpperCase() })).toMatchObject({ status: 200 })
  expect(await patch({ email: before })).toMatchObject({ status: 200 })
  expect(await patch({ email: after })).toMatchObject({ status: 200, json: { email: after } })
  expect(await patch({ email: after, lastname: 'Tal' })).toMatchObject({ status: 200 })
  expect(await patch({ email: `last${people}@example.test` })).toMatchObject({ status: 200 })
  await vi.waitFor(() => expect(told(after)).toHaveLength(1), { timeout: 120_000 })
  await vi.waitFor(() => expect(told(before)).toHaveLength(1), { timeout: 120_000 })
  const text = told(before)[0]?.text ?? ''
  expect(text).toContain('ein Administrator hat die E-Mail-Adresse')
  for (const secret of [after, 'Mia', 'Maria', me.username, 'http']) expect(text).not.toContain(secret)
  expect(told(`last${people}@example.test`)).toEqual([])
})

test('a new own address that another account has is rejected, and no email is sent', async () => {
  const taken = `taken${people}@example.test`
  await createAccount(app.db, { username: `taken${people}`, email: taken, password })
  const body = { firstname: 'Mia', lastname: 'Berg', email: taken.toUpperCase(), old_password: password }
  expect(await ask('PUT', `/user/${me.id}/profile`, await logIn(), body)).toMatchObject({
    status: 409,
    json: { fields: [{ field: 'email', message: 'exists already' }] },
  })
  expect(received.filter(({ to }) => to.toLowerCase() === taken)).toEqual([])
})

test('R136 users of the demo client only are marked, and so are superadmins', async () => {
  await app.db
    .insertInto('client')
    .values({ client_id: demoClientId, name: 'Demo', is_demo: true })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  expect((await ask('GET', `/user/${me.id}`, root.token)).json.isDemo).toBe(false)
  await ask('PATCH', `/user/${me.id}`, root.token, { clients: [demoClientId] })
  expect((await ask('GET', `/user/${me.id}`, root.token)).json.isDemo).toBe(true)
  const token = await logIn()
  const settings = await ask('GET', `/user/${me.id}/settings/`, token)
  expect(settings.json.data).toMatchObject([{ client_id: demoClientId }])
  expect((await ask('GET', '/auth/token', token)).json.sub).toMatchObject({ superadmin: false })
  expect((await ask('GET', '/auth/token', root.token)).json.sub).toMatchObject({ superadmin: true })
})

/** Opens when the server has responded; the token is checked afterwards. */
async function openSocket(token: string, query = ''): Promise<WebSocket> {
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = new WebSocket(
    `${app.app.listeningOrigin.replace('http', 'ws')}/api/socket${query}`,
    socketProtocols(token),
  )
  await new Promise(resolve => socket.addEventListener('open', resolve))
  return socket
}

function closeCode(socket: WebSocket): Promise<number> {
  return new Promise(resolve => socket.addEventListener('close', ({ code }) => resolve(code)))
}

/** Resolves when the socket receives this text. */
function heard(socket: WebSocket, text: string): Promise<void> {
  return new Promise(resolve =>
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes(text)) resolve()
    }),
  )
}
