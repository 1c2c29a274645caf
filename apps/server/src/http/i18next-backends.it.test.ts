import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstance, type i18n } from 'i18next'
import ChainedBackend from 'i18next-chained-backend'
import HttpBackend from 'i18next-http-backend'
import LocalStorageBackend from 'i18next-localstorage-backend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'

/** The real libraries as in browsers, against the server over HTTP. */
let app: TestApp
let url: string
const consoleFolder = mkdtempSync(join(tmpdir(), 'emma-texts-'))

beforeAll(async () => {
  mkdirSync(join(consoleFolder, 'texts'))
  writeFileSync(join(consoleFolder, 'texts', 'en.json'), '{"areas":{"campaigns":"Campaigns"}}')
  app = await startTestApp({ EMMA_CONSOLE: consoleFolder })
  url = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  rmSync(consoleFolder, { recursive: true, force: true })
})

/** A browser's storage. */
function memoryStore() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

function localisationOf(body: string): Record<string, string> {
  return JSON.parse(body).localisation
}

async function startChain(apiHost: string, store: ReturnType<typeof memoryStore>): Promise<i18n> {
  const chain = createInstance()
  await chain.use(ChainedBackend).init({
    lng: 'en',
    backend: {
      backends: [LocalStorageBackend, HttpBackend],
      backendOptions: [
        { prefix: 'i18next_res_', expirationTime: 7 * 86_400_000, store },
        { loadPath: `${apiHost}/{{ns}}/{{lng}}`, parse: localisationOf, reloadInterval: false },
      ],
      retryOnFailure: true,
    },
  })
  return chain
}

function startPlain(options: object): Promise<i18n> {
  const plain = createInstance()
  return plain
    .use(HttpBackend)
    .init({ lng: 'en', retryTimeout: 20, backend: { reloadInterval: false, ...options } })
    .then(() => plain)
}

/** Responds in turn; the last one repeats. */
async function answering(
  ...answers: [status: number, body: string][]
): Promise<{ server: Server; address: string; calls: () => number }> {
  let calls = 0
  const server = createServer((_request, response) => {
    const [status, body] = answers[Math.min(calls, answers.length - 1)] ?? [500, '']
    calls += 1
    response.writeHead(status).end(body)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const place = server.address()
  const port = typeof place === 'object' && place ? place.port : 0
  return { server, address: `http://127.0.0.1:${port}`, calls: () => calls }
}

test('R293 the chain loads the localization, and caches it under its prefix', async () => {
  const store = memoryStore()
  const chain = await startChain(`${url}/api`, store)
  expect(chain.t('areas.campaigns')).toBe('Campaigns')
  expect([...store.items.keys()]).toEqual(['i18next_res_en-translation'])
})

test('R293 R295 cached texts are not requested; without them the new ones are loaded', async () => {
  const store = memoryStore()
  const chain = await startChain(`${url}/api`, store)
  await app.call('PATCH', '/translation/en', {
    token: await app.logInSuperadmin(),
    body: { localisation: { areas: { campaigns: 'Mailings' } } },
  })
  await chain.reloadResources()
  expect(chain.t('areas.campaigns')).toBe('Campaigns')
  store.items.clear()
  await chain.reloadResources()
  expect(chain.t('areas.campaigns')).toBe('Mailings')
})

test('R293 the server is requested again after seven days', async () => {
  const store = memoryStore()
  const old = { areas: { campaigns: 'Old' }, i18nStamp: Date.now() - 7 * 86_400_000 - 1 }
  store.setItem('i18next_res_en-translation', JSON.stringify(old))
  expect((await startChain(`${url}/api`, store)).t('areas.campaigns')).not.toBe('Old')
  store.setItem('i18next_res_en-translation', JSON.stringify({ ...old, i18nStamp: old.i18nStamp + 60_000 }))
  expect((await startChain(`${url}/api`, store)).t('areas.campaigns')).toBe('Old')
})

test('R296 the http backend loads texts and reports missing ones at its default paths', async () => {
  const plain = createInstance()
  await plain.use(HttpBackend).init({
    lng: 'en',
    fallbackLng: 'en',
    saveMissing: true,
    backend: {
      loadPath: `${url}/locales/{{lng}}/{{ns}}.json`,
      addPath: `${url}/locales/add/{{lng}}/{{ns}}`,
      reloadInterval: false,
    },
  })
  expect(plain.t('areas.campaigns')).toBe('Mailings')
  plain.t('areas.nowhere', 'Nowhere')
  const token = await app.logInSuperadmin()
  await expect
    .poll(async () => (await app.call('GET', '/translation:missing', { token })).json.data)
    .toEqual([expect.objectContaining({ language: 'en', key: 'areas.nowhere', fallback: 'Nowhere' })])
})

test('R299 a 5xx is retried until the texts arrive', async () => {
  const { server, address, calls } = await answering([503, ''], [500, ''], [200, '{"a":"there"}'])
  const plain = await startPlain({ loadPath: `${address}/{{lng}}` })
  await expect.poll(() => plain.t('a')).toBe('there')
  expect(calls()).toBe(3)
  server.close()
})

test('R299 failures to load or parse have the messages of the libraries', async () => {
  const { server, address, calls } = await answering([404, ''], [200, 'no json'])
  const told: unknown[] = []
  const read = () =>
    new Promise<void>(done => {
      const backend = new HttpBackend(null, { loadPath: `${address}/{{lng}}`, reloadInterval: false })
      backend.read('en', 'translation', error => {
        told.push(error)
        done()
      })
    })
  await read()
  await read()
  expect(told).toEqual([
    `failed loading ${address}/en; status code: 404`,
    `failed parsing ${address}/en to json`,
  ])
  expect(calls()).toBe(2)
  server.close()
})
