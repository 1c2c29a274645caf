import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let ours: TestClient
let theirs: TestClient
let token: string

beforeAll(async () => {
  app = await startTestApp()
  const superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  token = (await app.logIn({ clients: [ours.clientId] })).token
  await app.db.updateTable('domain').set({ status: 'verified' }).execute()
})
afterAll(() => app.close())

const history = ({ clientId, ids }: TestClient) =>
  `/v2/emma/client/${clientId}/campaign/${ids.campaign}/test-history`

test('R197 a test is stored with what the servers said, for its campaign', async () => {
  await app.db.updateTable('campaign').set({ fromadr: null }).where('client_id', '=', ours.clientId).execute()
  const sent = await app.call('POST', '/emma/testcampaign/', {
    token,
    body: { message_id: ours.ids.message, campagne_id: ours.ids.campaign, emails: ['me@example.test'] },
  })
  expect(sent).toMatchObject({
    status: 201,
    json: { emails: ['me@example.test'], results: [{ email: 'me@example.test' }], subject_prefix: '[TEST] ' },
  })
  await app.call('POST', `/v2/emma/client/${ours.clientId}/message:test`, {
    token,
    body: { message_id: ours.ids.message, emails: ['other@example.test'] },
  })
  const all = await app.call('GET', '/emma/testcampaign/', { token })
  expect(all.json).toMatchObject({ pagination: { total: 2 } })
  const own = await app.call('GET', `/emma/testcampaign/?campagne_id=${ours.ids.campaign}`, { token })
  expect(own.json).toMatchObject({ data: [{ id: sent.json.id }], pagination: { total: 1 } })
  expect(await app.call('GET', `/emma/testcampaign/${Number(sent.json.id)}`, { token })).toMatchObject({
    status: 200,
    json: { campagne_id: ours.ids.campaign },
  })
})

test('R029 the history of a campaign shows its tests and placement checks', async () => {
  const answer = await app.call('GET', history(ours), { token })
  expect(answer.json).toMatchObject({
    campagne_id: ours.ids.campaign,
    expires_at: null,
    tests: [{ emails: ['me@example.test'] }],
    placements: [],
  })
  expect(await app.call('GET', history(theirs), { token })).toMatchObject({ status: 404 })
})

test('R029 the secret of a link opens one history, until it is taken back', async () => {
  const made = await app.call('POST', `${history(ours)}/share`, { token, body: { days: 1 } })
  expect(made).toMatchObject({ status: 201, json: { secret: expect.stringMatching(/^[\w-]{32}$/) } })
  const open = (id: unknown, secret: unknown) =>
    app.call('GET', `/testhistory/${Number(id)}?secret=${String(secret)}`)
  expect(await open(ours.ids.campaign, made.json.secret)).toMatchObject({
    status: 200,
    json: { tests: [{ emails: ['me@example.test'] }], expires_at: expect.any(String) },
  })
  for (const [id, secret] of [
    [ours.ids.campaign, 'x'.repeat(32)],
    [ours.ids.campaign, ''],
    [theirs.ids.campaign, made.json.secret],
  ])
    expect(await open(id, secret)).toMatchObject({ status: 404 })
  const theirLink = await app.call('POST', `${history(theirs)}/share`, { token, body: {} })
  expect(theirLink.status).toBe(404)
  await app.call('DELETE', `${history(ours)}/share/${Number(made.json.share_id)}`, { token })
  expect(await open(ours.ids.campaign, made.json.secret)).toMatchObject({ status: 404 })
})
