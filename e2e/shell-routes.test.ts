import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addresses,
  confirmations,
  sharedAddresses,
  systemAddresses,
} from '../apps/console/src/specified-addresses.ts'
import { type ApiSession, openApi } from './api-session.ts'
import { openBrowser } from './open-browser.ts'
import type { RunningEmma } from './launch-emma.ts'
import { logIn } from './log-in.ts'
import { allowFaults } from './page-faults.ts'
import { settled } from './settled.ts'
import { CONSOLE_ROLES, startEmma } from './start-emma.ts'
import { follow } from './visit.ts'

const forbidden = 'You may not open this page'

/** Paths that require several permissions, one, none, and a superadmin. */
const samples = ['/campaigns/reportgroups', '/users', '/settings/domains', '/system/roles']

/** router.test.ts checks every path against the same table; here only these samples, and with CI=true all of them. */
const shown = process.env.CI
  ? { addresses, systemAddresses }
  : {
      addresses: addresses.filter(([path]) => samples.includes(path)),
      systemAddresses: systemAddresses.filter(path => samples.includes(path)),
    }

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
/** Number of calls rejected since the last screen was opened. */
let refused = 0

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-GB', reducedMotion: 'reduce' })
  page.on('response', response => {
    if (response.status() === 403) refused++
  })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R022–R134 without a session every address except shared ones leads to the login', async () => {
  await page.goto(`${emma.url}/login`)
  await page.getByLabel('User name').waitFor()
  for (const path of [...addresses.map(([first]) => first), ...systemAddresses, ...confirmations]) {
    await follow(page, path)
    await page.waitForFunction(() => location.pathname === '/login', undefined, { polling: 10 })
    // The login does not return to a document to confirm: what was opened before it does.
    const kept = confirmations.includes(path) ? systemAddresses.at(-1) : path
    expect(await page.evaluate(() => localStorage.getItem('initial-path'))).toBe(kept)
  }
  for (const path of sharedAddresses) {
    await show(path)
    expect(new URL(page.url()).pathname).toBe(path)
  }
})

test('R145 R030–R134 an address opens with exactly its permissions', async () => {
  for (const [key, paths] of bySet()) {
    await enter(key.split(' ').filter(Boolean))
    for (const path of paths) {
      const heading = await show(path)
      // The screen opens, but the server may reject its queries.
      if (refused === 0) expect(`${path} ${heading}`).not.toContain(forbidden)
    }
  }
})

test('R010 R145 R030–R134 with a permission missing it is forbidden and names it', async () => {
  for (const [key, paths] of bySet()) {
    const needed = key.split(' ').filter(Boolean)
    for (const missing of needed) {
      await enter(needed.filter(one => one !== missing))
      for (const path of paths) {
        expect(`${path} ${await show(path)}`).toBe(`${path} ${forbidden}`)
        expect(await page.locator('#content code').allInnerTexts()).toEqual([missing])
      }
    }
  }
})

test('R008 R098–R126 the system area is closed to users with all permissions', async () => {
  const { data } = await api.get('/permission/?limit=500')
  await enter(data.map((one: { name: string }) => one.name))
  for (const path of shown.systemAddresses) expect(`${path} ${await show(path)}`).toBe(`${path} ${forbidden}`)
  expect(await page.getByRole('navigation').getByText('System', { exact: true }).count()).toBe(0)
})

test('R146 R148 R008 viewing as a role restricts permissions, in the page and on the server, until it ends', async () => {
  await enter(null)
  await api.post('/role/', { name: 'Only looks', permissions: ['EmmaMailclass:get', 'Dashboard:get'] })
  await page.goto(`${emma.url}/settings/mailclasses`)
  await page.getByRole('link', { name: 'New mail class' }).waitFor()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'View as a role' }).hover()
  await page.getByRole('menuitem', { name: 'Only looks', exact: true }).click()
  await page.getByText('You see the console with the permissions of another role.').waitFor()
  await page.getByRole('heading', { name: 'Mail classes' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'New mail class' }).count()).toBe(0)
  const status = await page.evaluate(async () => {
    const token = localStorage.getItem('loginToken') ?? ''
    const answer = await fetch('/api/emma/mailclass/', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x' }),
    })
    return answer.status
  })
  expect(status).toBe(403)
  await page.getByRole('button', { name: 'Back to my own permissions' }).click()
  await page.getByRole('link', { name: 'New mail class' }).waitFor()
})

test('R010 an unknown address shows the not found screen, inside the shell and before login', async () => {
  await page.goto(`${emma.url}/nope`)
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  await expect.poll(() => page.title()).toBe('EMMA · This page does not exist')
  await page.getByRole('link', { name: 'To the dashboard' }).last().click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

test('R009 a screen’s code is loaded when it is opened, and the screen starts at its top with the focus inside', async () => {
  await page.setViewportSize({ width: 900, height: 360 })
  await page.goto(`${emma.url}/templates/archive`)
  await page.getByRole('heading', { name: 'Templates' }).waitFor()
  await settled(page)
  const scripts: string[] = []
  page.on('response', response => {
    if (response.url().endsWith('.js')) scripts.push(new URL(response.url()).pathname)
  })
  await page.evaluate(() => {
    document.body.style.minHeight = '4000px'
    scrollTo(0, 900)
  })
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await follow(page, '/settings/domains')
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  expect(scripts.some(path => path.includes('domain-list'))).toBe(true)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('#content') instanceof Element))
    .toBe(true)
})

test.each(['/dashboard', '/campaigns/archive', '/templates/archive'])(
  'R009 a first visit of %s takes fewer than 60 requests',
  async path => {
    const requests: string[] = []
    const visit = await browser.newContext({ storageState: await page.context().storageState() })
    const first = await visit.newPage()
    first.on('request', request => requests.push(request.url()))
    await first.goto(`${emma.url}${path}`)
    await first.getByRole('heading', { level: 1 }).waitFor()
    await settled(first)
    await visit.close()
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.length).toBeLessThan(60)
  },
)

test('R011 R021 a crash shows logo, error, notice and reload button, and is reported to the server', async () => {
  allowFaults(/The reason/)
  const reports: unknown[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/api/client-error'))
      reports.push(request.postDataJSON())
  })
  await page.goto(`${emma.url}/settings/domains?search=secret`)
  await page.evaluate(() => sessionStorage.setItem('debug', 'on'))
  await page.reload()
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  await page.evaluate(() => dispatchEvent(new CustomEvent('emma:crash', { detail: 'The reason' })))

  const screen = page.getByRole('alert')
  expect(await screen.locator('header').innerText()).toMatch(/Beyond/)
  await screen.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  expect(await screen.locator('code, pre').innerText()).toBe('The reason')
  await screen.getByText('Our team has been notified').waitFor()
  await expect.poll(() => reports).toMatchObject([{ message: 'The reason', path: '/settings/domains' }])
  await screen.getByRole('button', { name: 'Start again' }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

/** Paths by the permissions that they require. */
function bySet(): Map<string, string[]> {
  const sets = new Map<string, string[]>()
  for (const [path, ...permissions] of shown.addresses) {
    const key = permissions.join(' ')
    sets.set(key, [...(sets.get(key) ?? []), path])
  }
  return sets
}

let viewer = ''
let roles = 0

/**
 * Token of a superadmin viewing as a role with exactly these permissions; `null`: as themselves. Ends the previous
 * token.
 */
async function viewAs(permissions: readonly string[] | null): Promise<string> {
  viewer ||= await logIn(emma)
  const role = permissions && (await api.post('/role/', { name: `Rights ${++roles}`, permissions }))
  viewer = await post('/auth/view-as', { role_id: role === null ? null : role.id })
  return viewer
}

async function post(path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${emma.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${viewer}` },
    body: JSON.stringify(body),
  })
  const { token } = await answer.json()
  return String(token)
}

/** Opens the console with another token, after leaving to a page that sends no requests. */
async function enter(permissions: readonly string[] | null): Promise<void> {
  await page.goto(`${emma.url}/health`)
  const token = await viewAs(permissions)
  await page.evaluate(text => localStorage.setItem('loginToken', text), token)
  await page.goto(`${emma.url}/usersettings`)
  await page.getByRole('heading', { name: 'My settings' }).waitFor()
}

/** Heading of the screen at a path, or of the state shown in its place. */
async function show(path: string): Promise<string> {
  // Waits for the previous screen's requests, whose rejections would be counted for this one.
  await settled(page)
  refused = 0
  await follow(page, path)
  const heading = await page.waitForFunction(
    () => document.querySelector(':is(h1, h2):not([data-before])')?.textContent,
    undefined,
    { polling: 10 },
  )
  return String(await heading.jsonValue())
}
