import { subscribe } from '@emma/db/notify.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let superadmin: string
let ours: TestClient
let theirs: TestClient

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

const words = {
  title_en: 'Maintenance',
  title_de: 'Wartung',
  title_es: 'Mantenimiento',
  body_en: 'Tonight **from 8** <script>alert(1)</script>',
  body_de: 'Heute **ab 20 Uhr**',
  body_es: 'Esta noche',
}
const past = '2026-01-01T00:00:00Z'
const future = '2099-01-01T00:00:00Z'

const add = (fields: object, token = superadmin) =>
  app.call('POST', '/motd/', { token, body: { ...words, startdate: past, type: 'info', ...fields } })
const titlesFor = async (token: string): Promise<number[]> => {
  const { json } = await app.call('GET', '/guidance/', { token })
  return Array.isArray(json.messages) ? json.messages.map(({ id }: { id: number }) => id) : []
}
const idOf = (answer: Answer) => Number(answer.json.id)

test('R236 R282 a message needs texts in three languages, a start, and a type or a modal size', async () => {
  const blank = await app.call('POST', '/motd/', { token: superadmin, body: {} })
  expect(blank.status).toBe(422)
  expect(blank.error.fields?.map(({ field }) => field).toSorted()).toEqual(
    ['body_de', 'body_en', 'body_es', 'startdate', 'title_de', 'title_en', 'title_es'].toSorted(),
  )
  const neither = await add({ type: null })
  expect(neither).toMatchObject({ status: 422, error: { fields: [{ field: 'type' }] } })
  expect((await add({ type: null, modal_size: 'lg', startdate: future })).status).toBe(201)
  expect((await add({ type: 'warning', startdate: future })).status).toBe(201)
  expect((await add({ enddate: past, startdate: future })).error.fields?.[0]?.field).toBe('enddate')
  expect((await add({ clients: [999_999] })).error.fields?.[0]?.field).toBe('clients')
  expect((await add({ roles: [999_999] })).error.fields?.[0]?.field).toBe('roles')
})

test('R236 a message is planned, active or ended by its dates, and can be filtered by that', async () => {
  const planned = idOf(await add({ startdate: future, clients: [ours.clientId] }))
  const active = idOf(await add({ clients: [ours.clientId] }))
  const ended = idOf(await add({ enddate: '2026-01-02T00:00:00Z', clients: [ours.clientId] }))
  for (const [state, id] of [
    ['planned', planned],
    ['active', active],
    ['ended', ended],
  ] as const) {
    expect((await app.call('GET', `/motd/${id}`, { token: superadmin })).json.state).toBe(state)
    const { json } = await app.call('GET', `/motd/?state[]=${state}`, { token: superadmin })
    const rows = Array.isArray(json.data) ? json.data : []
    expect(rows.map(row => row.id)).toContain(id)
    expect(new Set(rows.map(row => row.state))).toEqual(new Set([state]))
  }
})

test('R236 it is visible to its clients and roles only', async () => {
  const mine = await app.logIn({ clients: [ours.clientId], permissions: [] })
  const other = await app.logIn({ clients: [theirs.clientId], permissions: [] })
  const toAll = idOf(await add({}))
  const toOurs = idOf(await add({ clients: [ours.clientId] }))
  const toRole = idOf(await add({ roles: [other.roleId] }))
  const planned = idOf(await add({ startdate: '2029-01-01T00:00:00Z' }))
  expect(await titlesFor(mine.token)).toEqual(expect.arrayContaining([toAll, toOurs]))
  expect(await titlesFor(mine.token)).not.toContain(toRole)
  expect(await titlesFor(other.token)).toEqual(expect.arrayContaining([toAll, toRole]))
  expect(await titlesFor(other.token)).not.toContain(toOurs)
  expect(await titlesFor(mine.token)).not.toContain(planned)
  const { json } = await app.call('GET', '/guidance/', { token: mine.token })
  expect(json.changes_at).toBe('2029-01-01T00:00:00.000Z')
  const shown = JSON.stringify(json.messages)
  expect(shown).toContain('<strong>from 8</strong>')
  expect(shown).not.toContain('alert')
})

test('R236 a dismissed message is not shown again to that user', async () => {
  const first = await app.logIn({ clients: [ours.clientId], permissions: [] })
  const second = await app.logIn({ clients: [ours.clientId], permissions: [] })
  const id = idOf(await add({}))
  expect((await app.call('POST', `/motd:dismiss/${id}`, { token: first.token })).status).toBe(200)
  expect((await app.call('POST', `/motd:dismiss/${id}`, { token: first.token })).status).toBe(200)
  expect(await titlesFor(first.token)).not.toContain(id)
  expect(await titlesFor(second.token)).toContain(id)
  expect((await app.call('POST', '/motd:dismiss/999999', { token: first.token })).status).toBe(404)
  expect((await app.call('POST', `/motd:dismiss/${id}`)).status).toBe(401)
})

test('R236 users other than superadmins write to their own clients only', async () => {
  const { token } = await app.logIn({ clients: [ours.clientId] })
  expect((await add({}, token)).error.fields?.[0]?.field).toBe('clients')
  expect((await add({ clients: [theirs.clientId] }, token)).error.fields?.[0]?.field).toBe('clients')
  const own = idOf(await add({ clients: [ours.clientId] }, token))
  expect(own).toBeGreaterThan(0)
  const foreign = idOf(await add({ clients: [theirs.clientId] }))
  const toAll = idOf(await add({}))
  for (const id of [foreign, toAll])
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { title_en: 'Mine now' }],
      ['DELETE', undefined],
    ] as const)
      expect({ method, status: (await app.call(method, `/motd/${id}`, { token, body })).status }).toEqual({
        method,
        status: 404,
      })
  const widened = await app.call('PATCH', `/motd/${own}`, { token, body: { clients: [] } })
  expect(widened.status).toBe(422)
  const { json } = await app.call('GET', '/motd/?limit=1000', { token })
  expect(JSON.stringify(json.data)).not.toContain(`"id":${foreign},`)
})

test('R236 R291 a new message is pushed to the consoles it is for', async () => {
  const heard: { client_id: number | null; type: string; data: unknown }[] = []
  const subscription = await subscribe(app.config.databaseUrl ?? '', push => heard.push(push))
  try {
    const id = idOf(await add({ clients: [ours.clientId] }))
    const everybody = idOf(await add({}))
    await expect
      .poll(() => heard.filter(({ type }) => type === 'MOTD'))
      .toEqual([
        { client_id: ours.clientId, type: 'MOTD', data: { id } },
        { client_id: null, type: 'MOTD', data: { id: everybody } },
      ])
  } finally {
    await subscription.stop()
  }
})

test('R024 the login shows only messages for it, without a session', async () => {
  const shown = idOf(await add({ show_at_login: true }))
  const inside = idOf(await add({}))
  const { status, text } = await app.call('GET', '/motd:login')
  expect(status).toBe(200)
  expect(text).toContain(`"id":${shown},`)
  expect(text).not.toContain(`"id":${inside},`)
  const aimed = await add({ show_at_login: true, clients: [ours.clientId] })
  expect(aimed.error.fields?.[0]?.field).toBe('show_at_login')
})

test('R258 tours are for roles, start once, and are written by superadmins only', async () => {
  const person = await app.logIn({ clients: [ours.clientId] })
  const step = {
    selector: '#content',
    placement: 'bottom',
    ...Object.fromEntries(
      ['en', 'de', 'es'].flatMap(lang => [
        [`title_${lang}`, 'T'],
        [`text_${lang}`, 'Words'],
      ]),
    ),
  }
  const body = { name: 'Lists', path: '/campaigns/archive', steps: [step], autoplay: true }
  expect((await app.call('POST', '/v2/guided-tour/', { token: person.token, body })).status).toBe(403)
  const tour = await app.call('POST', '/v2/guided-tour/', {
    token: superadmin,
    body: { ...body, roles: [person.roleId] },
  })
  expect(tour.status).toBe(201)
  const id = idOf(tour)
  const toursOf = async (token: string) => {
    const { json } = await app.call('GET', '/guidance/', { token })
    return Array.isArray(json.tours) ? json.tours : []
  }
  const find = async (token: string) => (await toursOf(token)).find(found => found.id === id)
  expect(await find(person.token)).toMatchObject({
    name: 'Lists',
    autoplay: true,
    seen: false,
    steps: [step],
  })
  // The first account set up EMMA and gets its tour; further superadmins create the tours.
  expect(await find(superadmin)).toMatchObject({ autoplay: true })
  expect(await find(await app.logInSuperadmin())).toMatchObject({ autoplay: false })
  const other = await app.logIn({ clients: [ours.clientId] })
  expect(await find(other.token)).toBeUndefined()
  expect(
    (await toursOf(other.token)).map(found => [found.name, found.name_de, found.name_es]),
  ).toContainEqual(['First campaign', 'Erste Kampagne', 'Primera campaña'])
  await app.call('POST', `/v2/guided-tour:seen/${id}`, { token: person.token })
  expect(await find(person.token)).toMatchObject({ seen: true })
  await app.call('PATCH', `/v2/guided-tour/${id}`, { token: superadmin, body: { active: false } })
  expect(await find(person.token)).toBeUndefined()
  const bad = await app.call('PATCH', `/v2/guided-tour/${id}`, {
    token: superadmin,
    body: { path: '//evil.example', steps: [{ ...step, placement: 'nowhere' }] },
  })
  expect(bad.error.fields?.map(({ field }) => field)).toEqual(['path', 'steps.0.placement'])
})

test('R304 help supports the WordPress API, under the API and at the root', async () => {
  for (const prefix of ['/api', '']) {
    const url = `${prefix}/wp-json/wp/v2/posts`
    const response = await app.app.inject({ url: `${url}?per_page=5&search=bounce&orderby=relevance` })
    expect(response.statusCode).toBe(200)
    const total = Number(response.headers['x-wp-total'])
    expect(total).toBeGreaterThan(0)
    expect(response.headers['x-wp-totalpages']).toBe(String(Math.ceil(total / 5)))
    expect(response.headers['access-control-expose-headers']).toBe('X-WP-Total, X-WP-TotalPages')
    const [post] = response.json<Record<string, unknown>[]>()
    expect(post).toMatchObject({
      id: expect.any(Number),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00$/),
      slug: 'bounces-and-complaints',
      title: { rendered: 'Bounces and complaints' },
      content: { rendered: expect.stringContaining('<h2>') },
      excerpt: { rendered: expect.stringMatching(/^<p>/) },
    })
    const one = await app.app.inject({ url: `${url}/${Number(post?.id)}?lang=de` })
    expect(one.json()).toMatchObject({ lang: 'de', title: { rendered: 'Bounces und Beschwerden' } })
    expect((await app.app.inject({ url: `${url}/9999` })).statusCode).toBe(404)
    expect((await app.app.inject({ url: `${url}?per_page=101` })).statusCode).toBe(400)
  }
})

test('R305 a new version is news until the user has seen it', async () => {
  const { token } = await app.logIn({ clients: [ours.clientId], permissions: [] })
  const other = await app.logIn({ clients: [ours.clientId], permissions: [] })
  const newsOf = async (who: string) => (await app.call('GET', '/guidance/', { token: who })).json.news
  const { json } = await app.call('GET', '/changelog/', { token })
  const versions = Array.isArray(json.versions) ? json.versions : []
  expect(json.seen).toBeNull()
  expect(await newsOf(token)).toBe(versions.length)
  for (const { date, items } of versions) {
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const item of items) expect(new Set([item.en, item.de, item.es]).size).toBe(3)
  }
  const dates: string[] = versions.map(({ date }) => date)
  expect(dates).toEqual(dates.toSorted((a, b) => b.localeCompare(a)))
  const { version } = versions[0]
  expect((await app.call('POST', '/changelog:seen', { token, body: { version } })).status).toBe(200)
  expect((await app.call('POST', '/changelog:seen', { token, body: { version: 'x' } })).status).toBe(422)
  expect((await app.call('GET', '/changelog/', { token })).json.seen).toBe(version)
  expect(await newsOf(token)).toBe(0)
  expect(await newsOf(other.token)).toBe(versions.length)
  expect((await app.call('GET', '/changelog/')).status).toBe(401)
})

test('R303 translates from German to English by default', async () => {
  const { token } = await app.logIn({ clients: [ours.clientId], permissions: [] })
  const ask = (query: string) => app.call('GET', `/translate?${query}`, { token })
  expect((await ask('text=Kampagne')).json).toEqual({ translatedText: 'campaign', origin: 'memory' })
  expect((await ask('source=en&target=es&text=campaign')).json.translatedText).toBe('campaña')
  expect((await ask('target=fr&text=a')).status).toBe(400)
  expect((await ask('')).status).toBe(400)
  expect((await app.call('GET', '/translate?text=Kampagne')).status).toBe(401)
})
