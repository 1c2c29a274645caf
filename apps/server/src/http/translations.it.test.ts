import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingLimits } from '@emma/contract/actions/translations.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'

let app: TestApp
let superadmin: string
const consoleFolder = mkdtempSync(join(tmpdir(), 'emma-texts-'))

beforeAll(async () => {
  mkdirSync(join(consoleFolder, 'texts'))
  const ship = (language: string, texts: object) =>
    writeFileSync(join(consoleFolder, 'texts', `${language}.json`), JSON.stringify(texts))
  ship('en', {
    areas: { campaigns: 'Campaigns', reports: 'Reports' },
    mails_one: 'mail',
    mails_other: 'mails',
  })
  ship('de', { areas: { campaigns: 'Kampagnen', reports: 'Berichte' } })
  ship('es', { areas: { campaigns: 'Campañas', reports: 'Informes' } })
  app = await startTestApp({ EMMA_CONSOLE: consoleFolder })
  superadmin = await app.logInSuperadmin()
})
afterAll(async () => {
  await app.close()
  rmSync(consoleFolder, { recursive: true, force: true })
})
beforeEach(async () => {
  await app.db.deleteFrom('missing_text').execute()
  await app.db.updateTable('translation').set({ edits: '{}', optional: false }).execute()
})

const read = (language = 'en') => app.call('GET', `/translation/${language}`)
const change = (localisation: unknown, ask = {}) =>
  app.call('PATCH', '/translation/en', { token: superadmin, body: { localisation }, ...ask })
const miss = (texts: object, ask = {}) =>
  app.call('POST', '/locales/add/de/translation', { body: texts, ...ask })
const missing = async (): Promise<unknown[]> => {
  const { json } = await app.call('GET', '/translation:missing', { token: superadmin })
  return Array.isArray(json.data) ? json.data : []
}
const fieldsOf = ({ error }: Answer) => error.fields?.map(({ field }) => field)

test('R293 R294 everybody may read the texts of a language, with its label', async () => {
  const answer = await read('de')
  expect(answer.json).toEqual({
    language: 'de',
    localisation: { areas: { campaigns: 'Kampagnen', reports: 'Berichte' } },
    label: 'Deutsch',
    optional: false,
  })
  expect((await read('fr')).status).toBe(400)
  expect((await app.call('GET', '/nonsense/de')).status).toBe(404)
})

test('R293 unchanged texts are answered with 304, changed ones in full', async () => {
  const etag = String((await read()).headers['etag'])
  const again = () => app.call('GET', '/translation/en', { headers: { 'if-none-match': etag } })
  expect(await again()).toMatchObject({ status: 304, text: '' })
  await change({ areas: { campaigns: 'Mailings' } })
  expect(await again()).toMatchObject({
    status: 200,
    json: { localisation: { areas: { campaigns: 'Mailings', reports: 'Reports' } } },
  })
})

test('R295 a change affects only the keys it names; null and the shipped text revert it', async () => {
  await change({ areas: { campaigns: 'Mailings' } })
  expect(await change({ areas: { reports: 'Figures' }, added: { later: 'New' } })).toMatchObject({
    status: 200,
    json: {
      localisation: { areas: { campaigns: 'Mailings', reports: 'Figures' }, added: { later: 'New' } },
      edited: expect.arrayContaining(['areas.campaigns', 'areas.reports', 'added.later']),
    },
  })
  const back = await change({ areas: { campaigns: null, reports: 'Reports' } })
  expect(back.json).toMatchObject({
    edited: ['added.later'],
    localisation: { areas: { campaigns: 'Campaigns' } },
  })
})

const replaceEnglish = (revision: unknown) =>
  app.call('PUT', '/translation/en', {
    token: superadmin,
    headers: { 'x-revision': String(revision) },
    body: { localisation: { areas: { reports: 'Figures' } }, label: 'English (UK)', optional: true },
  })

test('R295 the whole language replaces all edits; a stale revision is rejected', async () => {
  const { json } = await change({ areas: { campaigns: 'Mailings' } })
  expect(await replaceEnglish(Number(json.revision) - 1)).toMatchObject({
    status: 409,
    error: { error: 'Faulty X-Revision value provided' },
  })
  expect((await replaceEnglish(json.revision)).json).toMatchObject({
    label: 'English (UK)',
    optional: true,
    edited: ['areas.reports'],
    localisation: { areas: { campaigns: 'Campaigns', reports: 'Figures' } },
  })
})

test('R238 R151 the list needs its permission, a change needs a superadmin', async () => {
  const { token } = await app.logIn({ clients: [], administrator: true })
  const nobody = await app.logIn({ clients: [], permissions: [] })
  const list = await app.call('GET', '/translation/', { token })
  expect(list).toMatchObject({ status: 200, json: { pagination: { total: 3 } } })
  expect(list.json.data).toMatchObject([{ language: 'en' }, { language: 'de' }, { language: 'es' }])
  expect((await app.call('GET', '/translation/')).status).toBe(401)
  expect((await app.call('GET', '/translation/', { token: nobody.token })).status).toBe(403)
  for (const method of ['PATCH', 'PUT'] as const) {
    const body = { localisation: {} }
    expect((await app.call(method, '/translation/en', { token, body })).status).toBe(403)
    expect((await app.call(method, '/translation/en', { body })).status).toBe(401)
  }
  expect((await app.call('GET', '/translation:missing', { token })).status).toBe(403)
})

test.each([
  ['a list', ['x'], 'localisation'],
  ['a text', 'x', 'localisation'],
  ['a number among texts', { areas: { campaigns: 1 } }, 'localisation.areas.campaigns'],
  ['a key with markup', { '<b>': 'x' }, 'localisation.<b>'],
  ['a constructor', { constructor: { name: 'x' } }, 'localisation.constructor'],
  ['a text that is too long', { a: 'x'.repeat(4001) }, 'localisation.a'],
  [
    'excessive nesting',
    { a: { b: { c: { d: { e: { f: { g: { h: { i: 'x' } } } } } } } } },
    'localisation.a.b.c.d.e.f.g.h',
  ],
])('R295 %s is rejected by name', async (_, localisation, field) => {
  const answer = await change(localisation)
  expect(answer.status).toBe(422)
  expect(fieldsOf(answer)).toContain(field)
})

test('R295 __proto__ is rejected at any depth', async () => {
  const body = '{"localisation":{"areas":{"__proto__":{"polluted":"yes"}}}}'
  const answer = await app.call('PATCH', '/translation/en', {
    token: superadmin,
    payload: body,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(422)
  const added = await app.call('POST', '/locales/add/en/translation', {
    payload: '{"__proto__":"x"}',
    headers: { 'content-type': 'application/json' },
  })
  expect(added.status).toBe(422)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test("R296 texts are also served at the default paths of i18next's backends", async () => {
  const answer = await app.app.inject({ url: '/locales/de/translation.json' })
  expect(answer.json()).toEqual({ areas: { campaigns: 'Kampagnen', reports: 'Berichte' } })
  expect((await app.call('GET', '/locales/de/translation.json')).json).toEqual(answer.json())
  expect((await app.call('GET', '/locales/de/secrets.json')).status).toBe(400)
})

test('R296 missing texts are collected, counted, and removed once they have a text', async () => {
  const { token } = await app.logIn({ clients: [], permissions: [] })
  await miss({ 'areas.nowhere': 'areas.nowhere' }, { token })
  await miss({ 'areas.nowhere': 'Nowhere', 'areas.campaigns': 'is there' }, { token })
  expect(await missing()).toEqual([
    expect.objectContaining({
      language: 'de',
      namespace: 'translation',
      key: 'areas.nowhere',
      fallback: 'Nowhere',
      seen: 2,
    }),
  ])
  await app.call('PATCH', '/translation/de', {
    token: superadmin,
    body: { localisation: { areas: { nowhere: 'Nirgends' } } },
  })
  expect(await missing()).toEqual([])
})

test('R296 missing texts can be deleted, one or all', async () => {
  await miss({ a: 'a', b: 'b', c: 'c' })
  await app.call('DELETE', '/translation:missing?key=a', { token: superadmin })
  expect(await missing()).toHaveLength(2)
  await app.call('DELETE', '/translation:missing', { token: superadmin })
  expect(await missing()).toEqual([])
})

test('R296 an unknown namespace or language and a malicious key are rejected', async () => {
  expect((await app.call('POST', '/locales/add/de/other', { body: { a: 'a' } })).status).toBe(400)
  expect((await app.call('POST', '/locales/add/xx/translation', { body: { a: 'a' } })).status).toBe(400)
  for (const key of ['<script>', 'a b', '', 'x'.repeat(301), 'constructor', 'a..b'])
    expect((await miss({ [key]: 'x' })).status).toBe(422)
  const many = Object.fromEntries(Array.from({ length: missingLimits.call + 1 }, (_, i) => [`k${i}`, 'x']))
  expect((await miss(many)).status).toBe(422)
  expect(await missing()).toEqual([])
})

const batchFrom = (from: number) =>
  Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key${from + i}`, 'x']))

test('R296 anonymous callers can report a limited number', async () => {
  for (const from of [0, 40, 80, 120]) expect((await miss(batchFrom(from))).status).toBe(200)
  expect(await missing()).toHaveLength(missingLimits.anonymous)
  const { token } = await app.logIn({ clients: [], permissions: [] })
  await miss({ mine: 'x' }, { token })
  expect(await missing()).toHaveLength(missingLimits.anonymous + 1)
})

const missOnce = () => miss({ a: 'a' }, { remoteAddress: '10.9.9.9' })

test('R296 reporting is rate limited', async () => {
  for (let call = 0; call < 120; call++) expect((await missOnce()).status).toBe(200)
  expect(await missOnce()).toMatchObject({ status: 429, error: { error: 'Too many requests' } })
})

test('R294 a language marked as optional has no missing texts', async () => {
  await app.call('PATCH', '/translation/de', { token: superadmin, body: { optional: true } })
  await miss({ 'areas.nowhere': 'x' })
  expect(await missing()).toEqual([])
})
