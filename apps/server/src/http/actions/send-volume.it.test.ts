import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addTestClient, type TestClient } from '../../test/fixtures.ts'

let app: TestApp
let superadmin: string
let ours: TestClient
let theirs: TestClient

const closed = {
  month: '2025-11-01',
  campaign: 1200,
  recurring: 300,
  transactional: 50,
  test: 7,
  limit: 2000,
  price_tiers: JSON.stringify([{ from: 0, price_per_thousand: 1.5 }]),
  currency: 'CHF',
  price_minor: 233,
  timezone: 'Europe/Zurich',
  ends_at: '2025-11-30T23:00:00Z',
}

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  await app.db
    .insertInto('send_volume')
    .values([
      { ...closed, client_id: ours.clientId },
      { ...closed, month: '2025-12-01', ends_at: '2025-12-31T23:00:00Z', client_id: ours.clientId },
      { ...closed, campaign: 9999, client_id: theirs.clientId },
    ])
    .execute()
})
afterAll(() => app.close())

const path = ({ clientId }: TestClient) => `/v2/emma/client/${clientId}/send-volume`

async function reader(permissions = ['SendVolume:get']): Promise<string> {
  return (await app.logIn({ clients: [ours.clientId], permissions })).token
}

test('R185 lists the months of the client in the path, newest first', async () => {
  const token = await reader()
  const { status, json } = await app.call('GET', `${path(ours)}?to=2025-12`, { token })
  expect(status).toBe(200)
  expect(json.pagination).toEqual({ limit: 25, offset: 0, total: 2 })
  expect(json.data).toEqual([
    expect.objectContaining({ invoice_month: '2025-12' }),
    {
      invoice_month: '2025-11',
      campaign: 1200,
      recurring: 300,
      transactional: 50,
      test: 7,
      total: 1550,
      limit: 2000,
      price: 2.33,
      currency: 'CHF',
      price_tiers: [{ from: 0, price_per_thousand: 1.5 }],
      timezone: 'Europe/Zurich',
      closed_at: expect.any(String),
    },
  ])
  const second = await app.call('GET', `${path(ours)}?to=2025-12&limit=1&offset=1`, { token })
  expect(second.json.data).toMatchObject([{ invoice_month: '2025-11' }])
  const current = await app.call('GET', `${path(ours)}?limit=1`, { token })
  expect(current.json.data).toMatchObject([{ closed_at: null, total: 0, limit: null, price: null }])
})

test('R185 refuses months that are none, other clients, and users without the permission', async () => {
  const token = await reader()
  for (const query of [
    'from=2025-13',
    'from=2025',
    'to=1999-01',
    'from=x',
    'limit=0',
    'limit=1001',
    'offset=-1',
  ])
    expect(await app.call('GET', `${path(ours)}?${query}`, { token })).toMatchObject({ status: 400 })
  for (const ofClient of [path(theirs), `${path(theirs)}/download`])
    expect(await app.call('GET', ofClient, { token })).toMatchObject({ status: 404 })
  const other = await reader(['EmmaReport:get'])
  for (const own of [path(ours), `${path(ours)}/download`])
    expect(await app.call('GET', own, { token: other })).toMatchObject({ status: 403 })
})

test('R045 the months as CSV', async () => {
  const answer = await app.call('GET', `${path(ours)}/download?from=2025-11&to=2025-11`, {
    token: await reader(),
  })
  const [head, row, ...others] = answer.text.replace('\ufeff', '').split('\r\n')
  expect(head).toBe(
    'invoice_month,campaign,recurring,transactional,test,total,limit,price,currency,closed_at',
  )
  expect(row).toMatch(/^2025-11,1200,300,50,7,1550,2000,2.33,CHF,20/)
  expect(others).toEqual([''])
})

test('R045 only superadmins change the limit and the prices of a client', async () => {
  const client = `/emma/client/${ours.clientId}`
  const billing = {
    send_volume_limit: 5000,
    price_tiers: [
      { from: 0, price_per_thousand: 2 },
      { from: 1000, price_per_thousand: 1.2345 },
    ],
    currency: 'CHF',
  }
  const patch = (token: string, body: object) => app.call('PATCH', client, { token, body })
  const { token } = await app.logIn({ clients: [ours.clientId], administrator: true })
  expect(await patch(token, billing)).toMatchObject({
    status: 403,
    json: { reason: 'refusal.billing_setting' },
  })
  expect(await patch(superadmin, billing)).toMatchObject({ status: 200, json: billing })
  // What does not change them is allowed, and a whole record without them would.
  const kept = await patch(token, { ...billing, name: 'New name' })
  expect(kept).toMatchObject({ status: 200, json: { ...billing, name: 'New name' } })
  const whole = { name: 'Whole', contact_email: 'a@x.test', language: 'en', timezone: 'UTC' }
  const put = await app.call('PUT', client, { token, body: { ...whole, revision: kept.json.revision } })
  expect(put.status).toBe(403)
  for (const tiers of [
    [{ from: 1, price_per_thousand: 1 }],
    [billing.price_tiers[0], billing.price_tiers[0]],
    [{ from: 0, price_per_thousand: 0.00001 }],
  ])
    expect(await patch(superadmin, { price_tiers: tiers })).toMatchObject({ status: 422 })
  const { json } = await app.call('GET', `${path(ours)}?limit=1`, { token: superadmin })
  expect(json.data).toMatchObject([{ limit: 5000, price: 0, currency: 'CHF' }])
})
