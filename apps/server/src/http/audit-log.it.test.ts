import type { Fields } from '@emma/core/resource/operations.ts'
import { applyRetention } from '@emma/core/platform/audit-log.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'

let app: TestApp
let root: { token: string; userId: number }
let north: number
let south: number
let clerk: { token: string; userId: number; roleId: number }

beforeAll(async () => {
  app = await startTestApp()
  root = await app.logIn({ clients: [], superadmin: true })
  north = await addClient('North')
  south = await addClient('South')
  clerk = await app.logIn({ clients: [north] })
})
afterAll(() => app.close())

async function addClient(name: string): Promise<number> {
  const body = { name, contact_email: 'office@example.test', language: 'de', timezone: 'Europe/Berlin' }
  return Number((await app.call('POST', '/emma/client/', { token: root.token, body })).json.client_id)
}

async function addMailclass(clientId: number, name: string, token = root.token): Promise<number> {
  const body = { name, client_id: clientId, smtp_password: 'hidden away' }
  return Number((await app.call('POST', '/emma/mailclass/', { token, body })).json.mailclass_id)
}

async function read(query: string, token = root.token): Promise<Fields[]> {
  const answer = await app.call('GET', `/v2/audit-log/?${query}`, { token })
  expect(answer).toMatchObject({ status: 200 })
  return answer.json.data as Fields[]
}

test('every write of a record is logged with user, action, previous and new values, and address', async () => {
  const id = await addMailclass(north, 'Slow', clerk.token)
  const headers = { 'user-agent': 'test' }
  await app.call('PATCH', `/emma/mailclass/${id}`, {
    token: clerk.token,
    body: { name: 'Slower', smtp_password: 'another secret' },
    headers,
    remoteAddress: '10.77.0.1',
  })
  await app.call('DELETE', `/emma/mailclass/${id}?test`, { token: clerk.token })
  await app.call('DELETE', `/emma/mailclass/${id}`, { token: clerk.token })
  const entries = await read(`object=mailclass&object_id=${id}`)
  expect(entries).toMatchObject([
    { action: 'delete', user_id: clerk.userId, client_id: north, client: 'North' },
    {
      action: 'update',
      changes: { name: ['Slow', 'Slower'] },
      ip: '10.77.0.1',
      request_id: expect.any(String),
      token: null,
      view_role: null,
    },
    { action: 'create', changes: { name: [null, 'Slow'] } },
  ])
  expect(entries).toHaveLength(3)
  expect(JSON.stringify(entries)).not.toMatch(/hidden away|another secret|smtp_password/)
})

test('writes of users, roles and passwords are logged without secrets', async () => {
  const body = {
    username: 'newcomer',
    email: 'newcomer@example.test',
    firstname: 'New',
    lastname: 'Comer',
    password: 'a very good password',
    roles: [clerk.roleId],
    clients: [north],
  }
  const id = Number((await app.call('POST', '/user/', { token: root.token, body })).json.id)
  await app.call('PATCH', `/user/${id}`, { token: root.token, body: { clients: [north, south] } })
  await app.call('PUT', `/role/${clerk.roleId}/permission`, {
    token: root.token,
    body: { permissions: ['EmmaMailclass:get', 'EmmaMailclass:post', 'EmmaMailclass:patch', 'AuditLog:get'] },
  })
  const entries = await read(`object=user&object_id=${id}`)
  expect(entries.map(({ action }) => action)).toEqual(['grant', 'update', 'set_password', 'grant', 'create'])
  expect(entries[0]).toMatchObject({ changes: { clients: [[north], [north, south]] }, client_id: 0 })
  expect(JSON.stringify(await read('limit=500'))).not.toMatch(/a very good password|argon2/)
  expect(await read(`object=role&object_id=${clerk.roleId}`)).toMatchObject([
    { action: 'update', changes: { permissions: [expect.any(Array), expect.any(Array)] } },
  ])
})

test('calls that log nothing themselves are logged, except reads', async () => {
  const { token, userId } = await app.logIn({ clients: [north] })
  await app.call('POST', '/notification:read', { token, body: { ids: [7] } })
  await app.call('GET', `/user/${userId}/settings/`, { token })
  await app.call('POST', `/user/${userId}/settings/`, { token, body: { custom: 'wrong' } })
  await app.call('POST', '/auth/logout', { token })
  expect(await read(`user_id=${userId}`)).toMatchObject([
    { object: 'notification', object_id: 0, action: 'readNotifications', changes: { ids: [null, [7]] } },
  ])
  expect(await read(`user_id=${userId}`)).toHaveLength(1)
})

test('a window that reports its open template is no entry', async () => {
  const { token, userId } = await app.logIn({ clients: [north] })
  const { json } = await app.call('POST', '/emma/message/', { token, body: { name: 'Open', subject: 'Hi' } })
  const path = `/v2/emma/client/${north}/message/${String(json.message_id)}/editors`
  const body = { window_id: '0a8f6c1e-5a55-4c5f-9a44-0f4f2f1b7a12' }
  expect((await app.call('POST', path, { token, body })).status).toBe(200)
  expect(await read(`user_id=${userId}`)).toMatchObject([{ object: 'message', action: 'create' }])
})

test('viewing as a role and API tokens are named', async () => {
  const boss = await app.logIn({ clients: [], superadmin: true })
  const viewed = await app.call('POST', '/auth/view-as', {
    token: boss.token,
    body: { role_id: clerk.roleId },
  })
  await addMailclass(north, 'Seen_as', String(viewed.json.token))
  const wish = { name: 'Robot', permissions: ['EmmaMailclass:post', 'EmmaMailclass:get'], days: 1 }
  const made = await app.call('POST', `/user/${root.userId}/token/`, { token: root.token, body: wish })
  await addMailclass(north, 'By_robot', String(made.json.token))
  expect(await read('object=mailclass&limit=2')).toMatchObject([
    { user_id: root.userId, token: 'Robot', view_role: null },
    { user_id: boss.userId, token: null, view_role: expect.stringContaining('Role of person') },
  ])
  expect(JSON.stringify(await read('limit=500'))).not.toContain(String(made.json.token))
})

test('filters apply to the log, and a page has a total', async () => {
  const id = await addMailclass(south, 'Southern')
  expect(await read(`client_id=${south}&object=mailclass`)).toMatchObject([{ object_id: id }])
  expect(await read(`client_id=${south}&action=delete`)).toEqual([])
  const today = new Date().toISOString().slice(0, 10)
  expect((await read(`object_id=${id}&object=mailclass&after=${today}&before=${today}`)).length).toBe(1)
  expect(await read(`object_id=${id}&object=mailclass&before=2020-01-01`)).toEqual([])
  const page = await app.call('GET', '/v2/audit-log/?limit=1&offset=1', { token: root.token })
  const { total } = page.json.pagination as { total: number }
  expect(page.json.data).toHaveLength(1)
  expect(total).toBeGreaterThan(3)
  for (const query of ['limit=0', 'object_id=x', 'after=yesterday'])
    expect((await app.call('GET', `/v2/audit-log/?${query}`, { token: root.token })).status).toBe(400)
})

test('users see their own clients only, and the history of records they may see', async () => {
  const reader = await app.logIn({ clients: [north], permissions: ['AuditLog:get', 'EmmaMailclass:get'] })
  const other = await addMailclass(south, 'Foreign')
  const own = await addMailclass(north, 'Homely')
  const entries = await read('limit=500', reader.token)
  expect(new Set(entries.map(({ client_id }) => client_id))).toEqual(new Set([north]))
  const status = async (query: string, { token } = reader) =>
    (await app.call('GET', `/v2/audit-log/?${query}`, { token })).status
  expect(await status(`client_id=${south}`)).toBe(404)
  expect(await status('client_id=0')).toBe(403)
  expect(await status(`object=mailclass&object_id=${other}`)).toBe(404)
  expect(await status(`object=mailclass&object_id=${own}`)).toBe(200)
  const plain = await app.logIn({ clients: [north], permissions: ['EmmaMailclass:get'] })
  expect(await status('limit=5', plain)).toBe(403)
  expect(await status(`object=mailclass&object_id=${own}`, plain)).toBe(200)
  expect(await status(`object=campaign&object_id=1`, plain)).toBe(403)
})

test('R224 R228 administrators read the history of users and roles they see, without other clients', async () => {
  const boss = await app.logIn({ clients: [north], administrator: true })
  const person = {
    username: 'between',
    email: 'between@example.test',
    firstname: 'Be',
    lastname: 'Tween',
    roles: [clerk.roleId],
    clients: [north],
  }
  const id = Number((await app.call('POST', '/user/', { token: root.token, body: person })).json.id)
  await app.call('PATCH', `/user/${id}`, { token: root.token, body: { clients: [north, south] } })
  const [grant, ...earlier] = await read(`object=user&object_id=${id}`, boss.token)
  expect(grant).toMatchObject({ action: 'grant', changes: { clients: [[north], [north]] } })
  expect(earlier.map(({ action }) => action)).toEqual(['update', 'grant', 'create'])
  await app.call('PATCH', `/role/${clerk.roleId}`, { token: root.token, body: { name: 'Clerks' } })
  expect((await read(`object=role&object_id=${clerk.roleId}`, boss.token))[0]).toMatchObject({
    changes: { name: [expect.any(String), 'Clerks'] },
  })
  expect((await read(`object=client&object_id=${north}`, boss.token)).length).toBeGreaterThan(0)
  const status = async (query: string, { token } = boss) =>
    (await app.call('GET', `/v2/audit-log/?${query}`, { token })).status
  const stranger = await app.logIn({ clients: [south], administrator: true })
  expect(await status(`object=user&object_id=${boss.userId}`, stranger)).toBe(404)
  const { json } = await app.call('POST', '/role/', {
    token: root.token,
    body: { name: 'Above', is_administrator: true },
  })
  const plain = await app.logIn({ clients: [north] })
  expect(await status(`object=role&object_id=${String(json.id)}`, plain)).toBe(404)
  expect(await status(`object=client&object_id=${south}`)).toBe(404)
  expect(await status('object=setting')).toBe(200)
  expect(await read('object=setting', boss.token)).toEqual([])
})

test('the log cannot be changed; only the retention job deletes old entries', async () => {
  const id = await addMailclass(north, 'Old_one')
  const statements = ['update change_log set user_id = 1', 'delete from change_log', 'truncate change_log']
  for (const statement of statements)
    await expect(app.pool.query(statement)).rejects.toThrow('permission denied for table change_log')
  const body = { audit_days: 30 }
  const denied = await app.call('PUT', '/v2/system-settings/audit-log', { token: clerk.token, body })
  expect(denied.status).toBe(403)
  await app.pool.query(`insert into change_log (client_id, object, object_id, action, ts)
    values (${north}, 'mailclass', ${id}, 'ancient', now() - interval '31 days')`)
  expect(await applyRetention(app.db)).toBe(0)
  await app.call('PUT', '/v2/system-settings/audit-log', { token: root.token, body })
  expect(await applyRetention(app.db)).toBe(1)
  expect(await read(`object=mailclass&object_id=${id}`)).toMatchObject([{ action: 'create' }])
  expect(await read('object=setting')).toMatchObject([{ changes: { audit_days: [0, 30] } }])
})

test('R104 superadmins configure which feedback loops verify a complaint', async () => {
  const put = (senders: readonly string[], token = root.token) =>
    app.call('PUT', '/v2/system-settings/feedback-loops', { token, body: { senders } })
  const { json } = await app.call('GET', '/v2/system-settings', { token: root.token })
  expect(json).toMatchObject({ feedback_loops: { senders: ['arf.mail.yahoo.com'] } })
  expect(await put(['fbl.example.com'], clerk.token)).toMatchObject({ status: 403 })
  for (const senders of [['localhost'], ['a b.example'], [''], Array(51).fill('fbl.example.com')])
    expect(await put(senders)).toMatchObject({ status: 422 })
  expect(await put(['fbl.example.com', 'fbl.example.com'])).toMatchObject({
    status: 200,
    json: { feedback_loops: { senders: ['fbl.example.com'] } },
  })
  expect(await put([])).toMatchObject({ status: 200, json: { feedback_loops: { senders: [] } } })
})

test('secrets in settings of the installation stay encrypted', async () => {
  const mail = {
    is_enabled: false,
    from: 'emma@example.test',
    host: 'smtp.example.test',
    port: 587,
    tls: 'starttls',
    username: 'emma',
  }
  const put = (path: string, body: object, token = root.token) =>
    app.call('PUT', `/v2/system-settings/${path}`, { token, body })
  const saved = await put('mail', { ...mail, password: 'smtp secret' })
  expect(saved).toMatchObject({ status: 200, json: { mail: { ...mail, password_set: true } } })
  expect((await put('mail', { ...mail, port: 25, password: 'smtp secret' })).json).toMatchObject({
    mail: { port: 25, password_set: true },
  })
  const rows = await app.db.selectFrom('setting').selectAll().execute()
  expect(JSON.stringify([rows, saved.json, await read('object=setting')])).not.toContain('smtp secret')
  expect(await put('mail', { ...mail, is_enabled: true, host: null })).toMatchObject({
    status: 422,
    json: { fields: [{ field: 'host' }] },
  })
  expect(await put('mail', mail, clerk.token)).toMatchObject({ status: 403 })
})

test('large values are not copied into the log', async () => {
  const { token, userId } = await app.logIn({ clients: [north] })
  const body = { custom: { view: 'x'.repeat(60_000) } }
  expect(await app.call('POST', `/user/${userId}/settings/`, { token, body })).toMatchObject({ status: 200 })
  const rows = await read(`object=user&object_id=${userId}`)
  expect(rows).toMatchObject([{ action: 'save_settings' }])
  expect(JSON.stringify(rows)).toContain('60011 characters')
  expect(JSON.stringify(rows).length).toBeLessThan(3_000)
})
