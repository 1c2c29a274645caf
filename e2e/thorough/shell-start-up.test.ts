import type { Browser, BrowserContext, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { openBrowser } from '../open-browser.ts'
import { runUntilVisible } from '../run-clock.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { submitLogin } from '../log-in.ts'
import { allowFaults } from '../page-faults.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

const hour = 3_600_000

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let context: BrowserContext
let page: Page
/** `METHOD path` of every API call, in order. */
let calls: string[]

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  page = await context.newPage()
  calls = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname.slice(4)}`)
  })
})
afterEach(() => context.close())

test('R135 R142 T13 start-up: clears the cache, authenticates, then loads settings and datasources, then the client', async () => {
  await logIn()
  await leave()
  await page.evaluate(async () => {
    const cache = await caches.open('api-brm')
    await cache.put('/stale', new Response('old'))
    localStorage.setItem('i18next_res_en-kept', '{}')
  })
  await page.goto(`${emma.url}/usersettings`)
  await page.getByRole('heading', { name: 'My settings' }).waitFor()

  const started = calls.filter(call => /auth|settings|membertable|\/emma\/client/.test(call))
  expect(started[0]).toBe('GET /auth/token')
  expect(started.slice(1, 3).toSorted()).toEqual(['GET /emma/membertable/', 'GET /user/1/settings/'])
  expect(started[3]).toBe('GET /emma/client/1')
  expect(await page.evaluate(async () => (await caches.match('/stale'))?.status)).toBeUndefined()
  expect(await stored('i18next_res_en-kept')).toBe('{}')
  expect(await stored('loginToken')).toMatch(/^ey/)
})

test('R135 without a token no data is requested, and the path is kept for after the login', async () => {
  await page.goto(`${emma.url}/settings/domains?search=x`)
  await page.getByLabel('User name').waitFor()
  // The sign-in methods are public.
  expect(calls.filter(call => /user|emma|auth/.test(call) && !call.endsWith('/auth/provider'))).toEqual([])
  expect(page.url()).toBe(`${emma.url}/login`)
  expect(await stored('initial-path')).toBe('/settings/domains?search=x')

  await submitLogin(page)
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  expect(page.url()).toContain('/settings/domains?search=x')
})

test('R012 the initial path is in local storage, also with a session', async () => {
  await logIn()
  await page.goto(`${emma.url}/templates/archive`)
  await page.getByRole('heading', { name: 'Templates' }).waitFor()
  expect(await stored('initial-path')).toBe('/templates/archive')
})

test('R137 a failing start-up removes the token and shows the reason', async () => {
  await logIn()
  allowFaults(/\/settings\/$/)
  await page.route('**/api/user/*/settings/', route =>
    route.fulfill({ status: 500, json: { error: 'settings are broken', code: 'internal' } }),
  )
  await page.reload()
  await page.getByText('Error during initialization: settings are broken').waitFor()
  expect(await stored('loginToken')).toBeNull()
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('R139 R317 an expired token is removed and reported', async () => {
  await logIn()
  await leave()
  await page.evaluate(() => {
    const [head = '', payload = '', sign = ''] = (localStorage.getItem('loginToken') ?? '').split('.')
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const past = btoa(JSON.stringify({ ...claims, exp: 1 })).replaceAll('=', '')
    localStorage.setItem('loginToken', [head, past, sign].join('.'))
  })
  await page.goto(emma.url)
  await page.getByText('Login token has expired!').waitFor()
  expect(await stored('loginToken')).toBeNull()
  expect(calls.filter(call => call.includes('/user/'))).toEqual([])
})

test('R139 a token with less than an hour left is renewed at start-up without a message', async () => {
  const before = await logIn()
  await leave()
  await page.clock.install({ time: Date.now() + 11.2 * hour })
  await page.goto(emma.url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expect(calls[0]).toBe('POST /auth/login')
  expect(await stored('loginToken')).not.toBe(before)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('R139 the token is checked every hour and renewed when less than an hour is left', async () => {
  await page.clock.install()
  const before = await logIn()
  calls.length = 0
  await page.clock.fastForward(hour)
  await expect.poll(() => stored('loginToken')).toBe(before)
  expect(calls).not.toContain('POST /auth/login')
  await page.clock.fastForward(10.2 * hour)
  await expect.poll(() => stored('loginToken')).not.toBe(before)
  expect(calls).toContain('POST /auth/login')
})

test('R317 a missing token ends the session at the next call', async () => {
  await logIn()
  await page.evaluate(() => localStorage.removeItem('loginToken'))
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.waitForURL('**/login')
  expect(await page.getByRole('alert').first().innerText()).toContain('No token found!')
})

test('R291 the socket connects after 5 s and 60 s after a loss; an ERROR is shown', async () => {
  const open: { close: () => Promise<void>; send: (text: string) => void; socket: WebSocketRoute }[] = []
  await page.routeWebSocket(/\/api\/socket/, socket => {
    open.push({ close: () => socket.close(), send: text => socket.send(text), socket })
  })
  await logIn()
  const start = new Date(Date.now() + 60_000)
  await page.clock.install({ time: start })
  await page.clock.pauseAt(new Date(start.getTime() + 60_000))
  await page.reload()
  open.length = 0
  const gone = await runUntilVisible(page.getByRole('heading', { name: 'Dashboard' }))
  await page.clock.runFor(4900 - gone)
  expect(open).toHaveLength(0)
  await page.clock.runFor(200 + gone)
  await expect.poll(() => open.length).toBe(1)
  // URLs are logged, so the token is sent as a subprotocol.
  const token = await stored('loginToken')
  expect(open[0]?.socket.url()).not.toContain(token)
  expect(open[0]?.socket.protocols().join(' ')).toContain(token)

  open[0]?.send(JSON.stringify({ type: 'ERROR', data: { message: 'The mail server is full' } }))
  await runUntilVisible(page.getByRole('alert').getByText('The mail server is full'))

  await open[0]?.close()
  await page.clock.runFor(59_000)
  expect(open).toHaveLength(1)
  await page.clock.runFor(2000)
  await expect.poll(() => open.length).toBe(2)
})

test('R136 users of the demo client see a banner, superadmins do not', async () => {
  await logIn()
  expect(await page.getByText('You work with example data').count()).toBe(0)
  await page.route('**/api/user/*/settings/', async route => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, data: [{ ...answer.data[0], client_id: 20607 }] } })
  })
  await page.route('**/api/emma/client/20607', route =>
    route.fulfill({ json: { client_id: 20607, name: 'Demo', timezone: 'Europe/Berlin', revision: 1 } }),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Switch client: Demo' }).waitFor()
  expect(await page.getByText('You work with example data').count()).toBe(0)

  await addOrdinary('demo-person')
  await leave()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${emma.url}/login`)
  await submitLogin(page, 'demo-person')
  await page.getByText('Demo', { exact: true }).first().waitFor()
  await page.getByText('You work with example data').waitFor()
})

test('T13a the response cache is cleared at login, logout and a change of client', async () => {
  const keep = () =>
    page.evaluate(async () => {
      const cache = await caches.open('api-brm')
      await cache.put('/kept', new Response('of somebody'))
    })
  const isKept = () => page.evaluate(async () => (await caches.match('/kept')) !== undefined)

  await page.goto(`${emma.url}/login`)
  await page.getByLabel('User name').waitFor()
  await keep()
  await submitLogin(page)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expect(await isKept()).toBe(false)

  await api.post('/emma/client/', {
    name: 'Second company',
    contact_email: 'b@second.test',
    language: 'en',
    timezone: 'Europe/Berlin',
  })
  await keep()
  await page.getByRole('button', { name: /^Switch client/ }).click()
  await page.getByRole('option', { name: 'Second company' }).click()
  await page.getByText('You now work for Second company.').waitFor()
  expect(await isKept()).toBe(false)

  await keep()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  expect(await isKept()).toBe(false)
  expect(await stored('loginToken')).toBeNull()
})

/** Leaves the console, so that it sends no more calls; resets `calls`. */
async function leave(): Promise<void> {
  await page.goto(`${emma.url}/health`)
  calls.length = 0
}

function stored(key: string): Promise<string | null> {
  return page.evaluate(name => localStorage.getItem(name), key)
}

async function logIn(): Promise<string | null> {
  await page.goto(`${emma.url}/login`)
  await submitLogin(page)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return stored('loginToken')
}

async function addOrdinary(username: string): Promise<void> {
  const { data } = await api.get('/role/?limit=50')
  await api.post('/user/', {
    username,
    firstname: 'Dora',
    lastname: 'Demo',
    email: `${username}@demo.test`,
    password: adminPassword,
    roles: [data[0].id],
    clients: [1],
  })
}
