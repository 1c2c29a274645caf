import { campaignState } from '@emma/contract/campaign-states.ts'
import { permissions } from '@emma/contract/permissions.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resources } from '@emma/contract/resource-list.ts'
import { type TestApp, startTestApp } from '../test/app.ts'
import { addRecord, addTestClient, type TestClient } from '../test/fixtures.ts'

/** Who may approve a campaign, over the API. */

let app: TestApp
let ours: TestClient
let theirs: TestClient
let superadmin: string
let author: string
let authorId: number
let second: string
let path: string
let id: number

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  for (const { clientId } of [ours, theirs])
    await app.call('PATCH', `/emma/client/${clientId}`, {
      token: superadmin,
      body: { campaign_approval: true },
    })
  const asked = await app.logIn({ clients: [ours.clientId] })
  author = asked.token
  authorId = asked.userId
  second = (await app.logIn({ clients: [ours.clientId] })).token
})
beforeEach(async () => {
  const campaign = resources.find(({ name }) => name === 'campaign')
  id = campaign ? await addRecord(app, author, campaign, ours) : 0
  path = `/v2/emma/client/${ours.clientId}/campaign/${id}/approval`
})
afterAll(() => app.close())

const ask = (token = author) => app.call('POST', `${path}/request`, { token, body: { note: 'Please' } })
async function approve(token: string) {
  const { json } = await app.call('GET', path, { token: superadmin })
  return app.call('POST', `${path}/approve`, { token, body: { hash: json.hash } })
}

test('the requester cannot approve the own campaign, a second person can', async () => {
  expect(await ask()).toMatchObject({ status: 200, json: { state: 'requested', may_approve: false } })
  expect(await approve(author)).toMatchObject({
    status: 403,
    json: { code: 'forbidden', reason: 'refusal.approval_own' },
  })
  expect(await approve(second)).toMatchObject({ status: 200, json: { state: 'approved' } })
})

test('an API token is its owner, who cannot approve with it either', async () => {
  await ask()
  const made = await app.call('POST', `/user/${authorId}/token/`, {
    token: author,
    body: { name: 'Second me', permissions: ['EmmaCampaign:get', 'EmmaCampaign:patch'], days: 1 },
  })
  if (made.status >= 400) throw new Error(made.text)
  expect(await approve(String(made.json.token))).toMatchObject({
    status: 403,
    json: { reason: 'refusal.approval_own' },
  })
})

test('a user of another client finds nothing, by whichever client in the path', async () => {
  await ask()
  const { token } = await app.logIn({ clients: [theirs.clientId] })
  expect(await approve(token)).toMatchObject({ status: 404 })
  const mixed = path.replace(`/client/${ours.clientId}/`, `/client/${theirs.clientId}/`)
  const hash = '0'.repeat(64)
  for (const [method, url] of [
    ['GET', mixed],
    ['POST', `${mixed}/request`],
    ['POST', `${mixed}/approve`],
    ['POST', `${mixed}/revoke`],
  ] as const)
    expect(
      await app.call(method, url, { token, body: method === 'GET' ? undefined : { hash } }),
    ).toMatchObject({
      status: expect.toBeOneOf([404, 422]),
    })
  expect(await app.call('POST', `${mixed}/approve`, { token, body: { hash } })).toMatchObject({ status: 404 })
})

test('approving needs the permission to change campaigns', async () => {
  await ask()
  const { token } = await app.logIn({
    clients: [ours.clientId],
    permissions: permissions.filter(permission => permission !== 'EmmaCampaign:patch'),
  })
  expect(await approve(token)).toMatchObject({ status: 403 })
  expect(await app.call('GET', path, { token })).toMatchObject({ status: 200, json: { may_approve: false } })
})

test('input is bounded, and errors name every faulty field', async () => {
  const body = { hash: 'x', note: 'n'.repeat(1001), more: 1 }
  const { status, json } = await app.call('POST', `${path}/approve`, { token: second, body })
  expect(status).toBe(422)
  const { fields } = json as { fields: { field: string }[] }
  expect(fields.map(({ field }) => field)).toEqual(expect.arrayContaining(['hash', 'note']))
})

test('a change of the template revokes the approval: the start is refused, and says who may approve', async () => {
  await ask()
  await approve(second)
  const changed = await app.call('PATCH', `/emma/message/${ours.ids.message}`, {
    token: author,
    body: { subject: `Changed ${id}` },
  })
  expect(changed.status).toBe(200)
  expect(await app.call('GET', path, { token: author })).toMatchObject({
    json: { state: 'outdated', changed: ['subject'] },
  })
  const started = await app.call('POST', `/emma/campaign/${id}/start`, { token: author, body: {} })
  expect(started).toMatchObject({
    status: 422,
    json: {
      fields: expect.arrayContaining([
        expect.objectContaining({ field: 'approval', code: 'campaign.approval_outdated' }),
      ]),
    },
  })
  expect(await app.call('GET', `/emma/campaign/${id}`, { token: author })).toMatchObject({
    json: { valid: campaignState.draft },
  })
})
