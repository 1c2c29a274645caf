import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { fieldError } from '@emma/contract/errors.ts'

/** Relays, source addresses and MTA headers: tenants may use public relays and what is assigned to them. */

let app: TestApp
let superadmin: string
let token: string
let clientId: number

beforeAll(async () => {
  app = await startTestApp({ EMMA_RELAYS: '10.9.8.7:2526' })
  superadmin = await app.logInSuperadmin()
  const client = { name: 'Shop', contact_email: 'office@shop.test', language: 'en', timezone: 'UTC' }
  clientId = Number(
    (await app.call('POST', '/emma/client/', { token: superadmin, body: client })).json.client_id,
  )
  token = (await app.logIn({ clients: [clientId] })).token
})
afterAll(() => app.close())

let classes = 0
function create(fields: object, as = token) {
  classes += 1
  const body = { name: `class_${'abcdefghijklmnop'.charAt(classes)}`, client_id: clientId, ...fields }
  return app.call('POST', '/emma/mailclass/', { token: as, body })
}

test('relay: private addresses and other ports are rejected by field, those of EMMA_RELAYS accepted', async () => {
  for (const [fields, refusal] of [
    [{ smtp_host: '127.0.0.1' }, fieldError('smtp_host', 'field.relay_host')],
    [{ smtp_host: 'localhost' }, fieldError('smtp_host', 'field.relay_host')],
    [{ smtp_host: '10.9.8.7', smtp_port: 25 }, fieldError('smtp_host', 'field.relay_host')],
    [{ smtp_host: '93.184.216.34', smtp_port: 6379 }, fieldError('smtp_port', 'field.relay_port')],
  ] as const) {
    const refused = await create(fields)
    expect({ status: refused.status, fields: refused.error.fields }).toEqual({
      status: 422,
      fields: [refusal],
    })
  }
  const allowed = await create({ smtp_host: '10.9.8.7', smtp_port: 2526 })
  expect(allowed.status).toBe(201)
  const url = `/emma/mailclass/${Number(allowed.json.mailclass_id)}`
  expect(await app.call('PATCH', url, { token, body: { smtp_port: 25 } })).toMatchObject({ status: 422 })
  expect(await app.call('PATCH', url, { token, body: { description: 'Ours' } })).toMatchObject({
    status: 200,
  })
  const login = { esp: 'smtp', name: 'Relay', host: '::1', client_id: clientId }
  const refused = await app.call('POST', '/emma/esp-login/', { token, body: login })
  expect(refused.error.fields).toMatchObject([{ field: 'host' }])
})

test('assignments: superadmins assign addresses and MTA headers, tenants use those of their client', async () => {
  const header = { name: 'X-Virtual-MTA', value: 'pool-a' }
  const source = { address: '192.0.2.1', helo: 'mta1.shop.test' }
  const fields = { send_ip: 'pool-a', mta_headers: [header], source_ips: [source] }
  const refused = await create(fields)
  expect(refused.error.fields?.map(({ field }) => field)).toEqual(['send_ip', 'mta_headers', 'source_ips'])
  expect((await create(fields, superadmin)).status).toBe(201)
  const taken = await create({ ...fields, mta_headers: [{ value: 'pool-a', name: 'X-Virtual-MTA' }] })
  expect(taken.status).toBe(201)
  const url = `/emma/mailclass/${Number(taken.json.mailclass_id)}`
  const more = { mta_headers: [header, { ...header, value: 'pool-b' }] }
  expect(await app.call('PATCH', url, { token, body: more })).toMatchObject({ status: 422 })
  expect(await app.call('PATCH', url, { token, body: { mta_headers: [], send_ip: null } })).toMatchObject({
    status: 200,
  })
})
