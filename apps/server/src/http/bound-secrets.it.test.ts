import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { fieldError } from '@emma/contract/errors.ts'

/** A stored secret is bound to its destination: changing the host must not send it elsewhere. */

let app: TestApp
let token: string
let clientId: number

beforeAll(async () => {
  app = await startTestApp({ EMMA_WEBHOOK_LOOPBACK: 'true', EMMA_ALLOW_PRIVATE_ISSUER: 'true' })
  token = await app.logInSuperadmin()
  const client = { name: 'Shop', contact_email: 'office@shop.test', language: 'en', timezone: 'UTC' }
  clientId = Number((await app.call('POST', '/emma/client/', { token, body: client })).json.client_id)
})
afterAll(() => app.close())

const relay = {
  transport: 'smtp',
  smtp_host: 'relay.shop.test',
  smtp_port: 587,
  smtp_username: 'shop',
  smtp_password: 'relay secret',
}

const cases = [
  {
    path: '/emma/mailclass/',
    key: 'mailclass_id',
    record: { name: 'relay', ...relay },
    secret: 'smtp_password',
    isSet: 'smtp_password_set',
    changes: [{ smtp_host: 'evil.test' }, { smtp_port: 2525 }, { smtp_tls: 'none' }],
    harmless: { description: 'Our relay' },
  },
  {
    path: '/emma/esp-login/',
    key: 'id',
    record: { esp: 'smtp', name: 'Relay', host: 'relay.shop.test', username: 'shop', secret: 'login secret' },
    secret: 'secret',
    isSet: 'secret_set',
    changes: [{ host: 'evil.test' }, { port: 2525 }, { tls: 'none' }],
    harmless: { name: 'Our relay' },
  },
  {
    path: '/emma/esp-login/',
    key: 'id',
    record: { esp: 'sendgrid', name: 'Service', secret: 'api key' },
    secret: 'secret',
    isSet: 'secret_set',
    changes: [{ base_url: 'http://127.0.0.1:9/' }],
    harmless: { name: 'Our service' },
  },
  {
    path: '/emma/placeholder/',
    key: 'module_id',
    record: {
      name: 'Prices',
      token: 'prices',
      type: 'data',
      feed_url: 'https://api.shop.test/prices',
      feed_header: 'Authorization',
      feed_secret: 'Bearer feed key',
    },
    secret: 'feed_secret',
    isSet: 'feed_secret_set',
    changes: [{ feed_url: 'https://evil.test/prices' }, { feed_url: 'https://api.shop.test:8443/prices' }],
    harmless: { feed_url: 'https://api.shop.test/prices?currency=EUR' },
  },
] as const

describe.each(cases)(
  'stored secret of $path $record.name',
  ({ path, key, record, secret, isSet, changes, harmless }) => {
    const create = async (fields: object = record) => {
      const created = await app.call('POST', path, { token, body: { ...fields, client_id: clientId } })
      expect(created.json).toMatchObject({ [isSet]: true })
      return `${path}${Number(created.json[key])}`
    }

    test('is rejected for another destination, and accepted if entered again', async () => {
      const url = await create()
      for (const change of changes) {
        for (const method of ['PATCH', 'PUT'] as const) {
          const body = method === 'PUT' ? { ...record, ...change, [secret]: null } : change
          const refused = await app.call(method, url, { token, body })
          expect({ status: refused.status, fields: refused.error.fields }).toEqual({
            status: 422,
            fields: [fieldError(secret, 'field.secret_again', { fields: Object.keys(change).join(', ') })],
          })
        }
        expect((await app.call('GET', url, { token })).json).not.toMatchObject(change)
      }
      const [first] = changes
      const given = await app.call('PATCH', url, { token, body: { ...first, [secret]: 'another' } })
      expect(given.json).toMatchObject({ ...first, [isSet]: true })
      await app.call('DELETE', url, { token })
    })

    test('is preserved with other changes', async () => {
      const url = await create('name' in record ? { ...record, name: `${record.name}_b` } : record)
      expect((await app.call('PATCH', url, { token, body: harmless })).json).toMatchObject({ [isSet]: true })
    })
  },
)

test('mail class: a new host without a user name deletes the password', async () => {
  const body = { name: 'plain_relay', ...relay, client_id: clientId }
  const { mailclass_id: id } = (await app.call('POST', '/emma/mailclass/', { token, body })).json
  const moved = await app.call('PATCH', `/emma/mailclass/${Number(id)}`, {
    token,
    body: { smtp_host: 'other.test', smtp_username: null },
  })
  expect(moved.json).toMatchObject({ smtp_host: 'other.test', smtp_password_set: false })
})

test('system settings: password and client secret are bound to server and issuer', async () => {
  const mail = { is_enabled: false, from: null, host: 'a.test', port: 25, tls: 'none', username: 'emma' }
  const signIn = {
    is_enabled: false,
    name: 'Company',
    issuer: 'https://id.a.test',
    client_id: 'emma',
    domains: [],
    role_id: null,
    tenant_id: null,
  }
  const save = (part: string, body: object) => app.call('PUT', `/v2/system-settings/${part}`, { token, body })
  const kept = await save('mail', { ...mail, password: 'mail secret' })
  expect(kept.json).toMatchObject({ mail: { password_set: true } })
  const refused = await save('mail', { ...mail, host: 'evil.test' })
  expect(refused.error.fields).toEqual([fieldError('password', 'field.secret_again', { fields: 'host' })])
  expect((await save('mail', { ...mail, from: 'emma@a.test' })).json.mail).toMatchObject({
    password_set: true,
  })
  const removed = await save('mail', { ...mail, host: 'b.test', username: null })
  expect(removed.json.mail).toMatchObject({ host: 'b.test', password_set: false })

  const known = await save('sign-in', { ...signIn, client_secret: 'oidc' })
  expect(known.json).toMatchObject({ sign_in: { secret_set: true } })
  const moved = await save('sign-in', { ...signIn, issuer: 'https://evil.test' })
  expect(moved.error.fields).toEqual([
    fieldError('client_secret', 'field.secret_again', { fields: 'issuer' }),
  ])
})

test('webhook: another host gets a new secret, shown once', async () => {
  const body = { url: 'http://127.0.0.1:9/a', events: ['campaign.started'], client_id: clientId }
  const created = (await app.call('POST', '/emma/webhook/', { token, body })).json
  const url = `/emma/webhook/${Number(created.webhook_id)}`
  const same = await app.call('PATCH', url, { token, body: { url: 'http://127.0.0.1:9/b' } })
  expect(same.json.secret).toBeNull()
  const moved = await app.call('PATCH', url, { token, body: { url: 'http://127.0.0.1:10/b' } })
  expect(moved.json).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous_until: null })
  expect(moved.json.secret).not.toBe(created.secret)
  expect((await app.call('GET', url, { token })).json.secret).toBeNull()
})
