import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let token: string
let client: TestClient
beforeAll(async () => {
  app = await startTestApp()
  token = await app.logInSuperadmin()
  client = await addTestClient(app, token)
})
afterAll(() => app.close())

test('R219 R220 R221 an ESP’s records are found under its own path', async () => {
  const query = `?client_id=${client.clientId}`
  for (const kind of ['login', 'sendfromid', 'replacer']) {
    const found = await app.call('GET', `/emma/brevo/${kind}/${query}`, { token })
    expect(found.json.pagination).toMatchObject({ total: 1 })
    const others = await app.call('GET', `/emma/ses/${kind}/${query}`, { token })
    expect(others.json.pagination).toMatchObject({ total: 0 })
    const one = await app.call('GET', `/emma/brevo/${kind}/${client.ids[`esp_${kind}`]}`, { token })
    expect(one.json).toMatchObject({ esp: 'brevo' })
    expect(await app.call('GET', `/emma/nobody/${kind}/`, { token })).toMatchObject({ status: 404 })
  }
})

test('R221 secrets of a login are write-only; the ESP’s required fields must be present', async () => {
  const body = { client_id: client.clientId, esp: 'mailgun', name: 'Shop', secret: 'key-1' }
  const refused = await app.call('POST', '/emma/esp-login/', { token, body })
  expect(refused).toMatchObject({ status: 422, json: { fields: [{ field: 'domain' }] } })
  const made = await app.call('POST', '/emma/esp-login/', {
    token,
    body: { ...body, domain: 'mg.shop.example' },
  })
  expect(made.json).toMatchObject({ secret: null, secret_set: true, webhook_secret_set: false })
  expect(made.text).not.toContain('key-1')
  const { rows } = await app.pool.query(`select secret from esp_login where name = 'Shop'`)
  expect(String(rows[0].secret)).not.toContain('key-1')
  const inner = { base_url: 'https://169.254.169.254/' }
  const patched = await app.call('PATCH', `/emma/esp-login/${String(made.json.id)}`, { token, body: inner })
  expect(patched).toMatchObject({ status: 422, json: { fields: [{ field: 'base_url' }] } })
})

test('real delivery is off until a superadmin enables it, which is logged', async () => {
  const path = '/v2/system-settings'
  expect((await app.call('GET', path, { token })).json).toMatchObject({ real_delivery: false })
  const { token: person } = await app.logIn({ clients: [client.clientId], administrator: true })
  const body = { real_delivery: true }
  expect(await app.call('PUT', `${path}/real-delivery`, { token: person, body })).toMatchObject({
    status: 403,
  })
  const saved = await app.call('PUT', `${path}/real-delivery`, { token, body })
  expect(saved.json).toMatchObject({ real_delivery: true })
  const { rows } = await app.pool.query(
    `select changes from change_log where object = 'setting' order by id desc limit 1`,
  )
  expect(rows).toEqual([{ changes: { real_delivery: [false, true] } }])
})

test('the webhook URL of an ESP is visible only to users who may change its login', async () => {
  const read = async (permissions: string[]) => {
    const { token: person } = await app.logIn({ clients: [client.clientId], permissions })
    const [one, list] = await Promise.all([
      app.call('GET', `/emma/esp-login/${client.ids.esp_login}`, { token: person }),
      app.call('GET', '/emma/esp-login/', { token: person }),
    ])
    return [one.json.hook_path, JSON.stringify(list.json).includes('/hook/')]
  }
  expect(await read(['EmmaEspLogin:get'])).toEqual([null, false])
  const path = expect.stringMatching(/^\/hook\/brevo\/./)
  expect(await read(['EmmaEspLogin:get', 'EmmaEspLogin:patch'])).toEqual([path, true])
})

test('pages connect to this origin alone', async () => {
  const { headers } = await app.call('GET', '/client-error')
  expect(headers['content-security-policy']).toMatch(/connect-src 'self' ws:\/\/localhost:\d+;/)
})
