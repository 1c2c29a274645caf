import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi } from '../api-session.ts'
import { emptyStorage } from '../empty-storage.ts'
import { inspect } from '../inspect.ts'
import { openBrowser } from '../open-browser.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { submitLogin } from '../log-in.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'
import { follow, visit } from '../visit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const demoClient = 20607

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
/** `METHOD path` of every API call sent to the server. */
let calls: string[] = []

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  page = await context.newPage()
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname.slice(4)}`)
  })
  await promisify(execFile)(
    process.execPath,
    'apps/server/dist/emma.js user create --demo --username dora --email dora@demo.test'.split(' '),
    {
      cwd: root,
      env: {
        ...process.env,
        EMMA_DATA: emma.dataFolder,
        PORT: String(emma.port),
        EMMA_USER_PASSWORD: adminPassword,
      },
    },
  )
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** Each test has an empty page, with a fresh demo. */
beforeEach(async () => {
  await emptyStorage(page, emma)
  calls = []
})

test('R136 R306 T11a after start-up no screen sends a request to the server', async () => {
  await logIn('dora')
  await page.getByText('You work with example data').waitFor()
  const start = calls.slice(calls.indexOf('POST /auth/login'))
  expect(start.toSorted()).toEqual([
    'GET /emma/client/',
    `GET /emma/client/${demoClient}`,
    'GET /emma/membertable/',
    expect.stringMatching(/^GET \/user\/\d+\/profile$/),
    expect.stringMatching(/^GET \/user\/\d+\/settings\/$/),
    'POST /auth/login',
  ])
  await inspect(page, 'demo-dashboard')

  calls.length = 0
  await visit(page, '/campaigns/archive')
  await page.getByRole('link', { name: 'Weekly highlights' }).waitFor()
  await visit(page, '/campaigns/reports')
  await page.getByRole('link', { name: 'Weekly highlights' }).waitFor()
  await visit(page, '/subscribers/archive')
  await page.getByText('@mail.example').first().waitFor()
  await visit(page, '/templates/archive')
  await page.getByText('20% off everything, for two days').first().waitFor()
  await visit(page, '/users')
  await page.getByText('dora@demo.test').waitFor()
  await visit(page, '/settings/datasources')
  await page.getByText('Customers').first().waitFor()
  expect(calls).toEqual([])
})

test('R306 lists search, filter, sort and paginate in the browser', async () => {
  await logIn('dora')
  await visit(page, '/campaigns/archive')
  await page.getByRole('link', { name: 'Weekly highlights' }).waitFor()
  await page.getByPlaceholder('Search', { exact: true }).fill('tents')
  await page.getByRole('link', { name: 'Weekly highlights' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'New: ultralight tents' }).waitFor()
  const rows = await fromPage('/emma/campaign/?orderby=name&desc=true')
  expect(rows.body['pagination']).toEqual({ limit: 10, offset: 0, total: 16 })
  expect(rows.body['data'][0]['name']).toBe('Winter catalogue (draft)')
})

test('R306 R317 unsupported actions show an error', async () => {
  await logIn('dora')
  await visit(page, '/subscribers/dataupload')
  await page.getByText('This is not supported in demo mode.').first().waitFor()
  calls.length = 0
  const answer = await fromPage('/webhook/', 'POST', { name: 'x' })
  expect([answer.status, answer.body['error']]).toEqual([403, 'not supported in demo'])
  const upload = await page.evaluate(() => typeof XMLHttpRequest)
  expect(upload).toBe('undefined')
  expect(calls).toEqual([])
})

test('R307 T12 login, bav-confirm, generate-subject and validators reach the server, agb-confirm does not', async () => {
  await logIn('dora')
  await page.getByText('You work with example data').waitFor()
  const through = [
    `POST /v2/emma/client/${demoClient}/bav-confirm`,
    `POST /v2/emma/client/${demoClient}/message:generate-subject`,
    `POST /v2/emma/client/${demoClient}/download-job/validate-criteria`,
    'POST /auth/login',
  ]
  calls.length = 0
  await fromPage(`/v2/emma/client/${demoClient}/agb-confirm`, 'POST', {})
  for (const call of through) await fromPage(call.replace('POST ', ''), 'POST', {})
  expect(calls).toEqual(through)
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('R308 R311 R312 IndexedDB has one store per entity, with the specified fields and ranges', async () => {
  await logIn('dora')
  await page.getByText('You work with example data').waitFor()
  const stores = await readStores()
  const keys: Record<string, string> = {
    campaign: 'campagne_id',
    report: 'campagne_id',
    template: 'message_id',
    subscriber: 'member_id',
    test_subscriber: 'testaddress_id',
    datasource: 'member_table_id',
    dashboard: 'dashboard_id',
    user: 'id',
    placeholder: 'module_id',
    reporting_group: 'reportinggroup_id',
    motd: 'id',
    blacklist: 'blacklist_id',
    transactional_report: 'date',
    doi_report: 'date',
    send_volume: 'invoice_month',
  }
  for (const [store, key] of Object.entries(keys)) {
    expect(stores[store]?.length).toBeGreaterThan(0)
    for (const [own, row] of stores[store] ?? []) expect(row[key]).toBe(own)
  }
  const rowsOf = (store: string) => (stores[store] ?? []).map(([, row]) => row)
  const regular = rowsOf('campaign')
    .filter(row => row['ctype'] === 1)
    .toReversed()
  expect(regular.slice(0, 4).map(row => row['valid'])).toEqual([2, 3, 3, 3])
  for (const row of rowsOf('campaign')) {
    expectWithin(row['estimated_volume'], 250_000, 300_000)
    for (const part of ['domain', 'list', 'mailclass', 'message']) expect(row[part]).toBeTypeOf('object')
  }
  expect(rowsOf('send_volume')).toHaveLength(12)
  for (const row of rowsOf('send_volume')) expectWithin(row['total'], 100_000, 400_000)
  for (const row of rowsOf('doi_report')) {
    expectWithin(row['entries'], 200, 250)
    expectWithin(row['imports'], 160, 180)
  }
  for (const row of rowsOf('subscriber')) {
    expectWithin(row['open_rate'], 20, 30)
    expectWithin(row['click_rate'], 20, 30)
  }
  expect(rowsOf('motd').map(row => row['id'])).toEqual([143])
  const doi = await fromPage(`/v2/emma/client/${demoClient}/doi-report`)
  // The first page of the last 30 days.
  expect(doi.body['data']).toHaveLength(25)
})

/** The badge of the campaign; columns of a table can have the same name. */
const shownState = (name: string) => page.locator('[data-tone]').and(page.getByText(name, { exact: true }))

test('R309 R310 a running campaign progresses; pause, resume and stop set 5, 2 and 8', async () => {
  await logIn('dora')
  await visit(page, '/campaigns/archive')
  await page.getByRole('link', { name: 'Members’ weekend' }).click()
  await page.getByRole('heading', { name: 'Members’ weekend' }).waitFor()
  const [id, before] = await newestCampaign()
  const first = await fromPage(`/emma/campaign/${id}`)
  const second = await fromPage(`/emma/campaign/${id}`)
  expect(first.body['progress_cur']).toBeGreaterThan(before['progress_cur'])
  expect(second.body['progress_cur'] - first.body['progress_cur']).toBeGreaterThanOrEqual(100)

  await follow(page, `/campaigns/start/${id}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await shownState('Paused').waitFor()
  await expect.poll(async () => (await newestCampaign())[1]['valid']).toBe(5)
  await page.getByRole('button', { name: 'Resume' }).click()
  await shownState('Sending').waitFor()
  await expect.poll(async () => (await newestCampaign())[1]['valid']).toBe(2)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await shownState('Stopped').waitFor()
  await expect.poll(async () => (await newestCampaign())[1]['valid']).toBe(8)
})

test('R310 the campaign is finished after the last messages', async () => {
  await logIn('dora')
  await page.getByText('You work with example data').waitFor()
  const [id, row] = await newestCampaign()
  // The simulation may write in between and overwrite this.
  const afterTheLast = async () => {
    await writeRow('campaign', id, { ...row, progress_cur: row['estimated_volume'] - 20 })
    const { body } = await fromPage(`/emma/campaign/${id}`)
    return [body['valid'], body['progress_cur']]
  }
  await expect.poll(afterTheLast).toEqual([3, row['estimated_volume']])
  await visit(page, '/campaigns/archive')
  await page.getByRole('row', { name: /Members’ weekend.*Finished/ }).waitFor()
})

test('R313 the user list contains the demo users and the logged-in user', async () => {
  await logIn('dora')
  await visit(page, '/users')
  await page.getByText('dora@demo.test').waitFor()
  expect(await page.getByText('@news.birchwood.example').count()).toBe(3)
  await inspect(page, 'demo-users')
})

test('R306 changes stay in the browser, across a reload, until the demo is reset', async () => {
  await logIn('dora')
  await visit(page, '/campaigns/archive')
  const [id] = await newestCampaign()
  await fromPage(`/emma/campaign/${id - 1}`, 'DELETE')
  await page.reload()
  await page.getByRole('link', { name: 'Members’ weekend' }).waitFor()
  expect(await page.getByRole('link', { name: 'Weekly highlights' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Reset the demo' }).click()
  await inspect(page, 'demo-reset')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset the demo' }).click()
  await page.getByRole('link', { name: 'Weekly highlights' }).waitFor()
})

test('T11 the server rejects writes of the demo client', async () => {
  await logIn('dora')
  const token = await page.evaluate(() => localStorage.getItem('loginToken'))
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${emma.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const answer = await ask('POST', '/emma/blacklist/', { name: 'Past the demo' })
  expect([answer.status, await answer.json()]).toEqual([
    403,
    { error: 'not supported in demo', code: 'not_in_demo' },
  ])
  const own = await (await ask('GET', '/emma/campaign/')).json()
  expect(own).toMatchObject({ pagination: { total: 0 } })
})

test('R136 R306 a superadmin at the demo client works on the server, as does the next user after the demo', async () => {
  await logIn('dora')
  await page.getByText('You work with example data').waitFor()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  await submitLogin(page, 'admin')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expect(await page.getByText('You work with example data').count()).toBe(0)
  calls.length = 0
  expect((await fromPage('/emma/campaign/')).status).toBe(200)
  expect(calls).toContain('GET /emma/campaign/')
  expect(await page.evaluate(() => typeof XMLHttpRequest)).toBe('function')
})

test('R306 a user with another client can switch to it from the demo', async () => {
  const { data: roles } = await api.get('/role/?search=Demo')
  await api.post('/user/', {
    username: 'both',
    firstname: 'Bo',
    lastname: 'Both',
    email: 'both@demo.test',
    password: adminPassword,
    roles: [roles[0].id],
    clients: [demoClient, 1],
  })
  await logIn('both')
  await page.getByText('You work with example data').waitFor()
  await page.getByRole('button', { name: /^Switch client/ }).click()
  await page.getByRole('option', { name: 'Northwind Coffee' }).click()
  await page.getByText('You now work for Northwind Coffee.').waitFor()
  await page.getByText('You work with example data').waitFor({ state: 'detached' })
  await visit(page, '/campaigns/archive')
  await expect.poll(() => calls).toContain('GET /emma/campaign/')
})

async function logIn(username: string): Promise<void> {
  // Live texts are requested as soon as their code is loaded: before the login, so that the request is not counted
  // after it.
  await Promise.all([page.waitForRequest(/\/api\/translation\//), page.goto(`${emma.url}/login`)])
  await submitLogin(page, username)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
}

/** Calls the API from the page. */
function fromPage(path: string, method = 'GET', body?: unknown): Promise<{ status: number; body: Json }> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return page.evaluate(
    async ask => {
      const response = await fetch(`${location.origin}/api${ask.path}`, {
        method: ask.method,
        headers: { authorization: `Bearer ${localStorage.getItem('loginToken')}`, ...ask.headers },
        ...(ask.body === null ? {} : { body: ask.body }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    },
    { path, method, headers, body: body === undefined ? null : JSON.stringify(body) },
  )
}

/** Contents of the demo's database, by store. */
function readStores(): Promise<Record<string, [number | string, Json][]>> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error))
      })
    const database = await done(indexedDB.open('emma-demo'))
    const found: Record<string, [number | string, Json][]> = {}
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name)
      const [keys, rows] = await Promise.all([done(store.getAllKeys()), done(store.getAll())])
      found[name] = keys.map((key, at) => [
        typeof key === 'number' || typeof key === 'string' ? key : '',
        rows[at],
      ])
    }
    database.close()
    return found
  })
}

async function newestCampaign(): Promise<[number, Json]> {
  const { campaign = [] } = await readStores()
  const [key, row] = campaign.at(-1) ?? []
  if (typeof key !== 'number' || row === undefined) throw new Error('The demo has no campaigns')
  return [key, row]
}

function writeRow(store: string, key: number, row: Json): Promise<void> {
  return page.evaluate(
    write =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('emma-demo')
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction(write.store, 'readwrite')
          transaction.objectStore(write.store).put(write.row, write.key)
          transaction.addEventListener('complete', () => resolve())
          transaction.addEventListener('error', () => reject(transaction.error))
        })
      }),
    { store, key, row },
  )
}

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least)
  expect(value).toBeLessThanOrEqual(most)
}
