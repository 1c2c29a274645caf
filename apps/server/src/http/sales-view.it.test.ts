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
  await app.db
    .updateTable('campaign')
    .set({ valid: 3, started_at: '2026-05-04T08:00:00Z', finished_at: '2026-05-04T09:00:00Z' })
    .execute()
  for (const { clientId, ids } of [ours, theirs]) await addResults(clientId, Number(ids.campaign))
})
afterAll(() => app.close())

/** Three delivered emails and a skipped recipient; the first opened, the second complained. */
async function addResults(client_id: number, campagne_id: number): Promise<void> {
  const recipient = { client_id, campagne_id, provider_id: 0 }
  await app.db
    .insertInto('delivery')
    .values([
      ...[1, 2, 3].map(member_id => ({
        ...recipient,
        member_id,
        email: `secret-${member_id}@example.test`,
        state: 'sent' as const,
        reply: '250 accepted by mx.example.test',
      })),
      {
        ...recipient,
        member_id: 4,
        email: 'secret-4@example.test',
        state: 'skipped' as const,
        skip_reason: 'unsubscribed',
      },
    ])
    .execute()
  const event = { client_id, campagne_id, ts: '2026-05-04T10:00:00Z' }
  await app.db
    .insertInto('event')
    .values([
      { ...event, type: 'open', member_id: 1, email: 'secret-1@example.test', verdict: 'human' },
      { ...event, type: 'complaint', member_id: 2, email: 'secret-2@example.test' },
    ])
    .execute()
}

const view = (id: unknown, query = '') => `/emma/report/${Number(id)}/salesview${query}`

test('R200 the sales view has the results without members, replies and machines', async () => {
  const answer = await app.call('GET', view(ours.ids.campaign), { token })
  expect(answer).toMatchObject({
    status: 200,
    json: {
      campagne_id: ours.ids.campaign,
      expires_at: null,
      nb_send: 3,
      nb_delivered: 3,
      nb_open: 1,
      nb_complaint: 1,
      nb_preblock: 1,
      opens_clicks_over_time: [{ opens: 1, clicks: 0 }],
    },
  })
  const text = JSON.stringify(answer.json)
  for (const word of ['secret-', '@', 'mx.example', 'machine', 'provider', 'pending'])
    expect(text).not.toContain(word)
  expect(await app.call('GET', view(theirs.ids.campaign), { token })).toMatchObject({ status: 404 })
})

test('R200 complaints and skipped recipients are left out on demand', async () => {
  const answer = await app.call(
    'GET',
    view(ours.ids.campaign, '?shows_complaints=false&shows_preblocks=false'),
    { token },
  )
  expect(answer.json).toMatchObject({ nb_open: 1, nb_complaint: null, nb_preblock: null })
})

test('R027 a link opens the sales view of one report, with what it shows, until it is taken back', async () => {
  const made = await app.call('POST', view(ours.ids.campaign, '/share'), {
    token,
    body: { days: 1, shows_complaints: false },
  })
  expect(made).toMatchObject({ status: 201, json: { secret: expect.stringMatching(/^[\w-]{32}$/) } })
  const open = (id: unknown, secret: unknown) =>
    app.call('GET', `/salesview/${Number(id)}?secret=${String(secret)}`)
  const shown = await open(ours.ids.campaign, made.json.secret)
  expect(shown).toMatchObject({
    status: 200,
    json: { nb_send: 3, nb_complaint: null, nb_preblock: 1, expires_at: expect.any(String) },
  })
  expect(shown.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' })
  for (const [id, secret] of [
    [ours.ids.campaign, 'x'.repeat(32)],
    [ours.ids.campaign, ''],
    [theirs.ids.campaign, made.json.secret],
  ])
    expect(await open(id, secret)).toMatchObject({ status: 404 })
  expect(await app.call('POST', view(theirs.ids.campaign, '/share'), { token, body: {} })).toMatchObject({
    status: 404,
  })
  await app.call('DELETE', `${view(ours.ids.campaign, '/share')}/${Number(made.json.share_id)}`, { token })
  expect(await open(ours.ids.campaign, made.json.secret)).toMatchObject({ status: 404 })
})

test('R027 a link ends with the permission of who made it', async () => {
  const maker = await app.logIn({ clients: [ours.clientId] })
  const made = await app.call('POST', view(ours.ids.campaign, '/share'), { token: maker.token, body: {} })
  const open = () =>
    app.call('GET', `/salesview/${Number(ours.ids.campaign)}?secret=${String(made.json.secret)}`)
  expect(await open()).toMatchObject({ status: 200 })
  await app.db.updateTable('app_user').set({ active: false }).where('id', '=', maker.userId).execute()
  expect(await open()).toMatchObject({ status: 404 })
})

test('R026 a link opens the comparison of a report group, with the campaigns it has at that time', async () => {
  const group = Number(ours.ids.reportinggroup)
  const share = `/reportinggroup/${group}/share`
  const made = await app.call('POST', share, { token, body: { shows_complaints: false } })
  const open = () => app.call('GET', `/compare-reports/${group}?secret=${String(made.json.secret)}`)
  const setCampaigns = (ids: number[]) =>
    app.db
      .updateTable('reporting_group')
      .set({ campaign_ids: ids })
      .where('reportinggroup_id', '=', group)
      .execute()
  await setCampaigns([])
  expect(await open()).toMatchObject({ status: 200, json: { reports: [], total: 0 } })
  await setCampaigns([Number(ours.ids.campaign), Number(theirs.ids.campaign)])
  const shown = await open()
  expect(shown.json).toMatchObject({
    reports: [{ campagne_id: ours.ids.campaign, nb_send: 3, nb_complaint: null }],
    total: 1,
  })
  expect(JSON.stringify(shown.json)).not.toContain('secret-')
  expect(
    await app.call('POST', `/reportinggroup/${Number(theirs.ids.reportinggroup)}/share`, { token, body: {} }),
  ).toMatchObject({ status: 404 })
  await app.db
    .updateTable('reporting_group')
    .set({ deleted_at: new Date().toISOString() })
    .where('reportinggroup_id', '=', group)
    .execute()
  expect(await open()).toMatchObject({ status: 404 })
})
