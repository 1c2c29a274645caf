import { demoClientId } from '@emma/contract/session.ts'
import { ensureDemoClient } from '@emma/core/account/demo-account.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

const refused = { status: 403, error: { error: 'not supported in demo', code: 'not_in_demo' } }

let app: TestApp
let root: string
let tenant: TestClient
let dora: { token: string; userId: number }

beforeAll(async () => {
  app = await startTestApp()
  await ensureDemoClient(app.db)
  root = await app.logInSuperadmin()
  tenant = await addTestClient(app, root)
  dora = await app.logIn({ clients: [demoClientId, tenant.clientId] })
  await useClient(demoClientId)
})
afterAll(() => app.close())

function useClient(clientId: number) {
  return app.db
    .insertInto('user_settings')
    .values({ user_id: dora.userId, client_id: clientId, position: -1 })
    .onConflict(conflict => conflict.columns(['user_id', 'client_id']).doUpdateSet({ position: -1 }))
    .execute()
}

test.each([
  ['POST', '/emma/blacklist/', { name: 'Mine' }],
  ['POST', `/v2/emma/client/${demoClientId}/domain/`, { name: 'a.example' }],
  ['PATCH', '/emma/campaign/1', { name: 'x' }],
  ['PUT', '/emma/list/1', { name: 'x' }],
  ['DELETE', '/emma/message/1', undefined],
  ['POST', '/emma/campaign/1/start', {}],
] as const)('T11 the server rejects %s %s in the demo, too', async (method, path, body) => {
  expect(await app.call(method, path, { token: dora.token, body })).toMatchObject(refused)
})

test.each([
  ['DELETE', '/cloudstorage/validate', undefined],
  ['PATCH', '/cloudstorage/mine/validator/x', { new_path: 'y' }],
  ['PUT', `/documents/${demoClientId}/sqltemplate/_local/validate`, { name: 'x' }],
] as const)('T11 a name that a user chose allows no write: %s %s', async (method, path, body) => {
  const { status, text } = await app.call(method, path, { token: dora.token, body })
  expect(status).toBe(403)
  expect(text).toContain('not supported in demo')
})

test('T11 uploads, settings, the own password and notifications are rejected as well', async () => {
  const own = `/user/${dora.userId}`
  const { token } = dora
  const news = await app.call('POST', '/notification/', { token, body: { text: 'x' } })
  expect([news.status, news.text]).toEqual([403, 'not supported in demo'])
  const upload = await app.call('POST', '/v2/dataupload/', {
    token,
    payload: '--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n{}\r\n--x--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  expect(upload).toMatchObject(refused)
  expect(await app.call('POST', `${own}/settings/`, { token, body: { custom: { a: 1 } } })).toMatchObject(
    refused,
  )
  const passwords = { old_password: 'x', password: 'a longer password' }
  expect(await app.call('POST', `${own}/password`, { token, body: passwords })).toMatchObject(refused)
})

test('T11a R307 reads, the start and the renewal are allowed', async () => {
  const { token, userId } = await app.logIn({ clients: [demoClientId] })
  const paths = ['/auth/token', `/user/${userId}/settings/`, '/emma/membertable/', '/emma/campaign/']
  const answers = await Promise.all(paths.map(path => app.call('GET', path, { token })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const question = { query: null, member_table_id: 1 }
  expect((await app.call('POST', '/emma/list:count', { token, body: question })).error.code).toBe('not_found')
  const renewed = await app.call('POST', '/auth/login', { token })
  expect(renewed.status).toBe(200)
  expect((await app.call('POST', '/auth/logout', { token: String(renewed.json.token) })).status).toBe(200)
})

test('T11 a user active in another client cannot write to the demo by its path', async () => {
  const other = await app.logIn({ clients: [tenant.clientId, demoClientId] })
  const path = `/v2/emma/client/${demoClientId}/domain/`
  const answer = await app.call('POST', path, { token: other.token, body: { name: 'b.example' } })
  expect(answer).toMatchObject(refused)
  const own = await app.call('POST', '/emma/blacklist/', { token: other.token, body: { name: 'Ours' } })
  expect(own.status).toBe(201)
})

test('T11 superadmins are exempt', async () => {
  const body = { name: 'c.example' }
  const path = `/v2/emma/client/${demoClientId}/domain/`
  expect((await app.call('POST', path, { token: root, body })).status).toBe(201)
})

test('T11 switching to another client leaves the demo', async () => {
  const settings = `/user/${dora.userId}/settings/`
  const both = { client_id: tenant.clientId, custom: { a: 1 } }
  expect(await app.call('POST', settings, { token: dora.token, body: both })).toMatchObject(refused)
  const left = await app.call('POST', settings, { token: dora.token, body: { client_id: tenant.clientId } })
  expect(left.json.data).toMatchObject([{ client_id: tenant.clientId }, { client_id: demoClientId }])
  const made = await app.call('POST', '/emma/blacklist/', { token: dora.token, body: { name: 'Free again' } })
  expect(made.status).toBe(201)
})
