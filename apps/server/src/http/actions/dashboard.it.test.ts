import { viewSharedDashboard } from '@emma/contract/actions/dashboard.ts'
import { type deliveryStates, listReports } from '@emma/contract/actions/reports.ts'
import { dashboardViews } from '@emma/contract/dashboard-views.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { viewTypes } from '@emma/contract/resources/dashboard.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'

type DeliveryState = (typeof deliveryStates)[number]

let app: TestApp
let ann: string
let bob: string
let stranger: string

beforeAll(async () => {
  app = await startTestApp()
  const { db } = app
  await db
    .insertInto('client')
    .values([1, 2].map(client_id => ({ client_id, name: `Client ${client_id}` })))
    .execute()
  ann = (await app.logIn({ clients: [1] })).token
  bob = (await app.logIn({ clients: [1] })).token
  stranger = (await app.logIn({ clients: [2] })).token
  for (const [campagne_id, name, people] of [
    [11, 'First', 4],
    [12, 'Second', 2],
  ] as const) {
    const now = new Date().toISOString()
    await db
      .insertInto('campaign')
      .values({
        client_id: 1,
        campagne_id,
        name,
        valid: campaignState.finished,
        started_at: now,
        finished_at: now,
        snapshot: JSON.stringify({ links: [{ index: 0, url: 'https://shop.test/', name: 'Shop' }] }),
      })
      .execute()
    for (let member_id = 1; member_id <= people; member_id++) {
      const person = { client_id: 1, campagne_id, member_id, email: `p${member_id}@example.test` }
      await db
        .insertInto('delivery')
        .values({ ...person, state: 'sent', recorded_at: now })
        .execute()
      const hit = { ...person, ts: now, link_index: 0 }
      await db
        .insertInto('event')
        .values([
          { ...hit, type: 'open', verdict: member_id === 1 ? 'machine' : 'human' },
          { ...hit, type: 'click', verdict: 'human' },
        ])
        .execute()
    }
  }
  const group = { name: 'Both', campaign_ids: [11, 12] }
  await app.call('POST', '/reportinggroup/', { token: ann, body: group })
})
afterAll(() => app.close())

async function view(type: keyof typeof dashboardViews, query = '', token = ann) {
  const answer = await app.call('GET', `/view/dashboard/${type}/?${query}`, { token })
  expect({ type, status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  return dashboardViews[type].parse(answer.json)
}

test('R232 the messages of the day are the current ones for all users of the client', async () => {
  const superadmin = await app.logInSuperadmin()
  const body = { name: 'Some', permissions: [] }
  const role = (await app.call('POST', '/role/', { token: superadmin, body })).json.id
  const write = async (title: string, wishes: object) => {
    const words = { title_en: title, title_de: title, title_es: title }
    const bodies = { body_en: title, body_de: title, body_es: title }
    const message = { ...words, ...bodies, type: 'info', startdate: '2026-01-01T00:00:00Z', ...wishes }
    expect((await app.call('POST', '/motd/', { token: superadmin, body: message })).status).toBe(201)
  }
  await write('ours', { clients: [1] })
  await write('to all', {})
  await write('theirs', { clients: [2] })
  await write('over', { enddate: '2026-01-02T00:00:00Z' })
  await write('for some', { roles: [role] })
  const { rows } = dashboardViews.motd.parse(await view('motd'))
  expect(rows.map(row => row.title_en)).toEqual(['to all', 'ours'])
})

test('R232 every type of widget has its figures', async () => {
  for (const type of viewTypes) for (const days of [7, 365]) await view(type, `days=${days}`)
  const today = new Date().toISOString().slice(0, 10)
  expect(dashboardViews.volume.parse(await view('volume', 'days=7')).days).toHaveLength(7)
  expect(dashboardViews.volume.parse(await view('volume')).days.at(-1)).toEqual({
    day: today,
    sent: 6,
    bounced: 0,
  })
  expect(dashboardViews.rates.parse(await view('rates')).days.at(-1)).toEqual({
    day: today,
    opens: 4,
    clicks: 6,
    opens_machine: 2,
    clicks_machine: 0,
  })
  expect(await view('links')).toEqual({
    rows: [{ url: 'https://shop.test/', name: 'Shop', people: 4, clicks: 6 }],
    as_of: expect.any(String),
  })
})

test('R232 R233 a widget shows a campaign, or a report group as a whole', async () => {
  expect(await view('funnel', 'campagne_id=11')).toMatchObject({ campagne_id: 11, name: 'First', nb_send: 4 })
  const { json } = await app.call('GET', '/reportinggroup/', { token: ann })
  expect(json).toMatchObject({ data: [{ name: 'Both', campaign_ids: [11, 12] }] })
  expect(await view('funnel', 'reportinggroup_id=1')).toMatchObject({
    campagne_id: null,
    campaigns: 2,
    nb_send: 6,
    nb_open: 4,
    nb_click: 6,
  })
  expect((await view('volume', 'campagne_id=12')).days).toContainEqual(expect.objectContaining({ sent: 2 }))
})

/** Creates a client with a campaign of its own, and a user. */
async function addClientWithCampaign(clientId: number, campaign: object = {}) {
  const now = new Date().toISOString()
  const key = { client_id: clientId, campagne_id: clientId * 10 }
  await app.db
    .insertInto('client')
    .values({ client_id: clientId, name: `Client ${clientId}` })
    .execute()
  await app.db
    .insertInto('campaign')
    .values({
      ...key,
      name: 'Spring',
      valid: campaignState.finished,
      started_at: now,
      finished_at: now,
      ...campaign,
    })
    .execute()
  const { token } = await app.logIn({ clients: [clientId] })
  const addMails = (states: readonly DeliveryState[]) =>
    app.db
      .insertInto('delivery')
      .values(
        states.map((state, at) => ({
          ...key,
          member_id: at + 1,
          email: `p${at}@x.test`,
          state,
          recorded_at: now,
        })),
      )
      .execute()
  return { key, token, addMails }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

test('R232 R198 the latest campaigns show their own progress', async () => {
  const stopped = { valid: campaignState.stopped, estimated_volume: 1000, progress_cur: 120 }
  const { token, addMails } = await addClientWithCampaign(3, stopped)
  await addMails(['sent', 'sent', 'cancelled', 'cancelled'])
  const { rows } = dashboardViews.campaigns.parse(await view('campaigns', '', token))
  expect(rows).toMatchObject([{ progress_cur: 120, estimated_volume: 1000, nb_cancelled: 2 }])
})

test('R232 repeated complaints and unsubscribes count once, on the first day', async () => {
  const { key, token, addMails } = await addClientWithCampaign(4)
  await addMails(['sent', 'sent', 'sent'])
  const told = (type: 'complaint' | 'unsubscribe', member_id: number, ts: string) => ({
    ...key,
    type,
    member_id,
    ts,
  })
  await app.db
    .insertInto('event')
    .values([
      told('complaint', 1, daysAgo(3)),
      told('complaint', 1, daysAgo(1)),
      told('complaint', 2, daysAgo(1)),
      // First before the period, and again within it.
      told('complaint', 3, daysAgo(20)),
      told('complaint', 3, daysAgo(1)),
      told('unsubscribe', 1, daysAgo(1)),
      told('unsubscribe', 1, daysAgo(0)),
      told('complaint', -1, daysAgo(0)),
    ])
    .execute()
  const happened = async (query: string) =>
    dashboardViews.complaints
      .parse(await view('complaints', query, token))
      .days.filter(day => day.complaints + day.unsubscribes > 0)
  const recent = [
    { day: daysAgo(3).slice(0, 10), complaints: 1, unsubscribes: 0 },
    { day: daysAgo(1).slice(0, 10), complaints: 1, unsubscribes: 1 },
  ]
  expect(await happened('days=7')).toEqual(recent)
  const first = { day: daysAgo(20).slice(0, 10), complaints: 1, unsubscribes: 0 }
  expect(await happened('days=30')).toEqual([first, ...recent])
  const { data } = listReports.response.parse((await app.call('GET', '/emma/report/', { token })).json)
  expect(data).toMatchObject([{ nb_complaint: 3, nb_unsubscribe: 1 }])
})

test('R232 sent means accepted and rejected everywhere', async () => {
  const { token, addMails } = await addClientWithCampaign(5)
  await addMails(['sent', 'sent', 'rejected', 'skipped', 'unknown', 'pending'])
  const { sent_month, volume } = dashboardViews.overview.parse(await view('overview', '', token))
  const funnel = dashboardViews.funnel.parse(await view('funnel', '', token))
  expect([sent_month, volume.at(-1)?.sent, funnel.nb_send]).toEqual([3, 3, 3])
})

test('R232 messages of a deleted campaign count, unless campaigns are selected', async () => {
  const { key, token, addMails } = await addClientWithCampaign(6, {
    valid: campaignState.paused,
    finished_at: null,
  })
  await addMails(['sent', 'sent', 'rejected', 'pending'])
  const ts = new Date().toISOString()
  await app.db
    .insertInto('event')
    .values([
      { ...key, type: 'complaint', member_id: 1, ts },
      { ...key, type: 'open', member_id: 1, ts, verdict: 'human' },
      // Tracking events of a test subscriber.
      { ...key, type: 'open', member_id: -1, ts, verdict: 'human' },
    ])
    .execute()
  expect((await app.call('DELETE', `/emma/campaign/${key.campagne_id}/`, { token })).status).toBe(204)

  const last = async (query: string) => {
    const { days, sent } = dashboardViews.complaints.parse(await view('complaints', query, token))
    const volume = dashboardViews.volume.parse(await view('volume', query, token))
    const rates = dashboardViews.rates.parse(await view('rates', query, token))
    return { sent, ...days.at(-1), ...volume.days.at(-1), ...rates.days.at(-1) }
  }
  expect(await last('')).toMatchObject({ complaints: 1, sent: 2, bounced: 1, opens: 1 })
  expect(await last(`campagne_id=${key.campagne_id}`)).toMatchObject({
    complaints: 0,
    sent: 0,
    bounced: 0,
    opens: 0,
  })
  const { sent_month, volume } = dashboardViews.overview.parse(await view('overview', '', token))
  expect([sent_month, volume.at(-1)]).toMatchObject([3, { sent: 3, opens: 1 }])
  const { rows } = dashboardViews.providers.parse(await view('providers', '', token))
  expect(rows).toMatchObject([{ sent: 3, accepted: 2, waiting: 0 }])
})

test('R232 all campaigns count if none is selected, however many', async () => {
  const { key, token, addMails } = await addClientWithCampaign(7, { started_at: daysAgo(2) })
  await addMails(['sent'])
  const campaigns = Array.from({ length: 1000 }, (_, at) => ({
    client_id: key.client_id,
    campagne_id: 7000 + at,
    name: `Run ${at}`,
    valid: campaignState.finished,
    started_at: daysAgo(1),
    finished_at: daysAgo(1),
  }))
  await app.db.insertInto('campaign').values(campaigns).execute()
  expect(dashboardViews.volume.parse(await view('volume', '', token)).days.at(-1)).toMatchObject({ sent: 1 })
})

test('R232 a widget shows nothing of another client', async () => {
  expect(await view('funnel', 'campagne_id=11', stranger)).toMatchObject({ campaigns: 0, nb_send: 0 })
  expect(await view('campaigns', '', stranger)).toMatchObject({ rows: [] })
  expect((await app.call('GET', '/view/dashboard/funnel/?client_id=1', { token: stranger })).status).toBe(404)
  expect((await app.call('GET', '/view/dashboard/nothing/', { token: ann })).status).toBe(400)
})

test('R232 R231 a view needs the permission for its figures, also to be shared', async () => {
  const permissions = ['Dashboard:get', 'Dashboard:post', 'Dashboard:patch', 'EmmaDomain:get']
  const { token } = await app.logIn({ clients: [1], permissions })
  const status = async (type: string) => (await app.call('GET', `/view/dashboard/${type}/`, { token })).status
  expect(await status('overview')).toBe(200)
  expect(await status('domains')).toBe(200)
  for (const type of ['campaigns', 'funnel', 'queue', 'subscribers', 'imports'])
    expect(await status(type)).toBe(403)
  const content = [{ id: 'a', type: 'funnel', x: 0, y: 0, w: 4, h: 3 }]
  const made = await app.call('POST', '/dashboard/', { token, body: { name: 'Mine', content } })
  const share = await app.call('POST', `/dashboard/${String(made.json.dashboard_id)}/share`, {
    token,
    body: {},
  })
  expect(share.status).toBe(403)
})

test('R233 reports can be filtered by the campaigns of a group', async () => {
  const one = await app.call('POST', '/reportinggroup/', {
    token: ann,
    body: { name: 'One', campaign_ids: [12] },
  })
  const { json } = await app.call(
    'GET',
    `/emma/report/?reportinggroup_id=${String(one.json.reportinggroup_id)}`,
    {
      token: ann,
    },
  )
  expect(json).toMatchObject({ data: [{ name: 'Second' }], pagination: { total: 1 } })
})

test('R233 a report group takes campaigns by their categories, also later ones', async () => {
  const post = async (path: string, body: unknown) =>
    (await app.call('POST', path, { token: ann, body })).json
  const kinds = await post('/emma/category/', {
    name: 'Kind',
    is_multi: true,
    values: [{ label: 'News' }, { label: 'Offer' }].map(value => ({ value_id: null, ...value })),
  })
  const countries = await post('/emma/category/', {
    name: 'Country',
    is_multi: true,
    values: [{ value_id: null, label: 'Spain' }],
  })
  const idsOf = ({ values }: Record<string, unknown>) =>
    (values as { value_id: number }[]).map(({ value_id }) => value_id)
  const [news = 0, offer = 0] = idsOf(kinds)
  const [spain = 0] = idsOf(countries)
  const { rows } = await app.pool.query<{ client_id: number }>(
    'select client_id from campaign where campagne_id = 11',
  )
  const add = async (name: string, values: number[], started: string | null) => {
    const made = await app.pool.query<{ campagne_id: number }>(
      `insert into campaign (client_id, name, valid, started_at, category_value_ids)
       values ($1, $2, 3, $3, $4) returning campagne_id`,
      [rows[0]?.client_id, name, started, values],
    )
    return made.rows[0]?.campagne_id
  }
  const march = '2026-03-10T12:00:00Z'
  const both = await add('Both', [news, spain], march)
  const offers = await add('Offer in Spain', [offer, spain], march)
  await add('News elsewhere', [news], march)
  await add('Not started', [news, spain], null)
  await add('Before', [news, spain], '2026-02-28T12:00:00Z')
  const group = await post('/reportinggroup/', {
    name: 'Spain',
    category_value_ids: [news, offer, spain],
    started_from: '2026-03-01',
    started_to: '2026-03-31',
  })
  expect(group).toMatchObject({ campaigns: 2 })
  const path = `/emma/report/?reportinggroup_id=${String(group.reportinggroup_id)}`
  const listed = async () => {
    const { json } = await app.call('GET', path, { token: ann })
    return (json.data as { campagne_id: number }[]).map(row => row.campagne_id).toSorted((a, b) => a - b)
  }
  expect(await listed()).toEqual([both, offers])
  const later = await add('Later', [offer, spain], '2026-03-31T20:00:00Z')
  expect(await listed()).toEqual([both, offers, later])
  const found = await app.call('GET', `/reportinggroup/?campaign=${String(later)}`, { token: ann })
  expect(found.json).toMatchObject({ data: [{ name: 'Spain', campaigns: 3 }] })
  const view = await app.call(
    'GET',
    `/view/dashboard/funnel/?reportinggroup_id=${String(group.reportinggroup_id)}`,
    { token: ann },
  )
  expect(view.json).toMatchObject({ campaigns: 3 })
  const values = [{ value_id: null, label: 'Other' }]
  const removed = await app.call('PATCH', `/emma/category/${String(countries.category_id)}`, {
    token: ann,
    body: { values },
  })
  expect(removed).toMatchObject({ status: 422, json: { fields: [{ field: 'values' }] } })
  const foreign = await app.call('POST', '/reportinggroup/', {
    token: stranger,
    body: { name: 'X', category_value_ids: [spain] },
  })
  expect(foreign).toMatchObject({ status: 422, json: { fields: [{ field: 'category_value_ids' }] } })
  const inverted = await app.call('PATCH', `/reportinggroup/${String(group.reportinggroup_id)}`, {
    token: ann,
    body: { started_to: '2026-02-01' },
  })
  expect(inverted).toMatchObject({ status: 422, json: { fields: [{ field: 'started_to' }] } })
})

test('R233 a report group accepts only campaigns of its client', async () => {
  const made = await app.call('POST', '/reportinggroup/', {
    token: stranger,
    body: { name: 'X', campaign_ids: [11] },
  })
  expect(made).toMatchObject({ status: 422, json: { fields: [{ field: 'campaign_ids' }] } })
  const twice = await app.call('POST', '/reportinggroup/', { token: ann, body: { name: 'BOTH' } })
  expect(twice.status).toBe(409)
})

test('R231 a private dashboard is visible to its owner, a public one to the client', async () => {
  const make = async (name: string, is_public: boolean) => {
    const made = await app.call('POST', '/dashboard/', { token: ann, body: { name, is_public } })
    expect(made.status).toBe(201)
    return Number(made.json.dashboard_id)
  }
  const [own, shared] = [await make('Mine', false), await make('Ours', true)]
  const names = async (token: string, query = '') => {
    const { json } = await app.call('GET', `/dashboard/${query}`, { token })
    return Array.isArray(json.data) ? json.data.map(({ name }: { name: string }) => name) : []
  }
  expect(await names(ann, '?orderby=name')).toEqual(['Mine', 'Ours'])
  expect(await names(bob)).toEqual(['Ours'])
  expect(await names(ann, '?visibility=private')).toEqual(['Mine'])
  expect(await names(ann, '?visibility=public')).toEqual(['Ours'])
  for (const method of ['GET', 'PATCH', 'DELETE'] as const)
    expect((await app.call(method, `/dashboard/${own}`, { token: bob, body: {} })).status).toBe(404)
  expect((await app.call('GET', `/dashboard/${own}/share`, { token: bob })).status).toBe(404)
  expect(
    (await app.call('PATCH', `/dashboard/${shared}`, { token: bob, body: { name: 'Ours 2' } })).status,
  ).toBe(200)
  const grabbed = await app.call('PATCH', `/dashboard/${shared}`, { token: bob, body: { is_public: false } })
  expect(grabbed).toMatchObject({ status: 422, json: { fields: [{ field: 'is_public' }] } })
})

test('R231 widgets are validated: types, positions, settings', async () => {
  const widget = { id: 'a', type: 'volume', x: 0, y: 0, w: 4, h: 3 }
  for (const wrong of [
    { type: 'nothing' },
    { x: 12 },
    { w: 0 },
    { h: 31 },
    { options: { days: 8 } },
    { options: { db: '' } },
  ])
    expect(
      await app.call('POST', '/dashboard/', {
        token: ann,
        body: { name: 'x', content: [{ ...widget, ...wrong }] },
      }),
    ).toMatchObject({ status: 422 })
  const many = Array.from({ length: 31 }, (_, index) => ({ ...widget, id: `${index}` }))
  expect(
    (await app.call('POST', '/dashboard/', { token: ann, body: { name: 'x', content: many } })).status,
  ).toBe(422)
})

test('R231 T29 a secret link shows the dashboard without login until it is revoked', async () => {
  const content = [
    { id: 'a', type: 'volume', x: 0, y: 0, w: 6, h: 3 },
    { id: 'b', type: 'note', x: 6, y: 0, w: 6, h: 3, options: { text: 'Hello' } },
    { id: 'c', type: 'volume', x: 0, y: 3, w: 6, h: 3, options: { client_id: 2 } },
    { id: 'd', type: 'motd', x: 6, y: 3, w: 6, h: 3 },
  ]
  const made = await app.call('POST', '/dashboard/', { token: ann, body: { name: 'Shown', content } })
  const id = Number(made.json.dashboard_id)
  const share = await app.call('POST', `/dashboard/${id}/share`, { token: ann, body: { days: 7 } })
  expect(share).toMatchObject({ status: 201, json: { secret: expect.stringMatching(/^[\w-]{32}$/) } })
  const secret = String(share.json.secret)
  const share_id = Number(share.json.share_id)
  const open = (wanted = secret, of = id) => app.call('GET', `/dashboard/${of}/shared?secret=${wanted}`)
  const shown = await open()
  expect(shown.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' })
  const { widgets, ...head } = viewSharedDashboard.response.parse(shown.json)
  expect(head).toMatchObject({ name: 'Shown', client: 'Client 1' })
  expect(widgets.map(widget => widget.id)).toEqual(['a', 'b'])
  expect(shown.text).not.toContain('@example.test')
  const kept = await app.db.selectFrom('dashboard_share').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain(secret)

  const { json: list } = await app.call('GET', `/dashboard/${id}/share`, { token: ann })
  expect(list).toMatchObject({ data: [{ share_id, seen_at: expect.any(String) }] })
  expect(JSON.stringify(list)).not.toContain('secret')

  for (const wrong of ['', 'x', `${secret}x`, 'A'.repeat(32)]) expect((await open(wrong)).status).toBe(404)
  expect((await open(secret, id + 1)).status).toBe(404)
  await app.call('DELETE', `/dashboard/${id}/share/${share_id}`, { token: ann })
  expect((await open()).status).toBe(404)

  const second = await app.call('POST', `/dashboard/${id}/share`, { token: ann, body: {} })
  await app.db.updateTable('dashboard_share').set({ expires_at: '2020-01-01T00:00:00Z' }).execute()
  expect((await open(String(second.json.secret))).status).toBe(404)
})

test('R231 T29 a secret link shows what its owner may see at that moment', async () => {
  const maker = await app.logIn({ clients: [1] })
  const content = [
    { id: 'a', type: 'volume', x: 0, y: 0, w: 6, h: 3 },
    { id: 'b', type: 'domains', x: 0, y: 3, w: 6, h: 3 },
  ]
  const body = { name: 'Ours', content, is_public: true }
  const id = Number((await app.call('POST', '/dashboard/', { token: ann, body })).json.dashboard_id)
  const share = await app.call('POST', `/dashboard/${id}/share`, { token: maker.token, body: {} })
  const open = async () => {
    const path = `/dashboard/${id}/shared?secret=${String(share.json.secret)}`
    const { status, json } = await app.call('GET', path)
    return status === 200 ? viewSharedDashboard.response.parse(json).widgets.map(widget => widget.id) : status
  }
  const setUser = (values: object) =>
    app.db.updateTable('app_user').set(values).where('id', '=', maker.userId).execute()
  const grant = (permissions: string[]) =>
    app.db.updateTable('role').set({ permissions }).where('id', '=', maker.roleId).execute()
  expect(await open()).toEqual(['a', 'b'])
  await setUser({ active: false })
  expect(await open()).toBe(404)
  await setUser({ active: true })
  await grant(['Dashboard:get', 'EmmaDomain:get'])
  expect(await open()).toEqual(['b'])
  await grant([])
  expect(await open()).toBe(404)
  await grant(['Dashboard:get', 'EmmaDomain:get'])
  await app.call('PATCH', `/dashboard/${id}`, { token: ann, body: { is_public: false } })
  expect(await open()).toBe(404)
  await app.call('PATCH', `/dashboard/${id}`, { token: ann, body: { is_public: true } })
  await app.db.deleteFrom('user_client').where('user_id', '=', maker.userId).execute()
  expect(await open()).toBe(404)
})

test('R231 T29 guessing links is rate limited', async () => {
  const answers = []
  for (let tries = 0; tries < 70; tries++)
    answers.push(await app.call('GET', '/dashboard/1/shared?secret=x', { remoteAddress: '10.9.9.9' }))
  expect(answers.map(({ status }) => status)).toContain(429)
})
