import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { submitLogin } from '../log-in.ts'
import { allowFaults } from '../page-faults.ts'
import { settled } from '../settled.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})
beforeEach(async () => {
  page = await openConsole(browser, emma)
  context = page.context()
})
afterEach(() => context.close())

test('R292 R017 a logout in one tab sends the other to the login', async () => {
  const other = await openTab('/templates/archive', 'Templates')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  await other.waitForURL('**/login')
  await other.getByText('You have been logged out.').waitFor()
  expect(await other.evaluate(() => localStorage.getItem('loginToken'))).toBeNull()
})

test.each([
  ['/campaigns/edit/1', '/campaigns/archive'],
  ['/campaigns/test/1', '/campaigns/archive'],
  ['/settings/domains/edit/1', '/settings/domains'],
  ['/settings/mailclasses', '/settings/mailclasses'],
])('R292 R016 a restart takes a tab on %s to %s', async (from, to) => {
  const other = await openTab(from)
  await other.getByRole('heading', { level: 1 }).waitFor()
  const reloaded = other.waitForEvent('load')
  await tell(page, 'RESTART')
  await reloaded
  await other.waitForURL(url => url.pathname === to)
  expect(await other.getByRole('heading', { level: 1 }).innerText()).not.toBe('')
})

test('R292 another login restarts open tabs', async () => {
  const other = await openTab('/login')
  await other.waitForURL('**/dashboard')
  await page.evaluate(() => localStorage.removeItem('loginToken'))
  await page.reload()
  // Without its token the tab may go to the login first, which is not the restart.
  const reloaded = other.waitForEvent('load')
  await logIn(page)
  await reloaded
  await other.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  expect(new URL(other.url()).pathname).toBe('/dashboard')
})

test('R292 an unknown message between tabs is an error', async () => {
  const other = await openTab('/templates/archive', 'Templates')
  allowFaults(/Unknown message type: "SELF_DESTRUCT"/)
  const failed = page.waitForEvent('pageerror')
  await tell(other, 'SELF_DESTRUCT')
  expect((await failed).message).toContain('Unknown message type: "SELF_DESTRUCT"')
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('R140 the focused tab shows going offline, all tabs show coming back', async () => {
  await page.bringToFront()
  await page.evaluate(() => Object.assign(document, { hasFocus: () => true }))
  const other = await openTab('/templates/archive', 'Templates')
  await other.evaluate(() => Object.assign(document, { hasFocus: () => false }))
  await allFetched()
  allowFaults(/Failed to fetch|dynamically imported module/)
  await context.setOffline(true)
  await page.getByText(/^You are offline\./).waitFor()
  expect(await other.getByText(/^You are offline\./).count()).toBe(0)
  await context.setOffline(false)
  await page.getByText('You are online again.').waitFor()
  await page.getByText(/^You are offline\./).waitFor({ state: 'detached' })
})

test('R140 a screen whose code fails to load says so and recovers with the connection', async () => {
  await allFetched()
  allowFaults(/Failed to fetch|dynamically imported module/)
  await context.setOffline(true)
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/domains')
})

test('R140 a browser without compression is reported', async () => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'CompressionStream'))
  await page.reload()
  expect(await page.getByRole('alert').innerText()).toContain('This browser lacks functions')
})

test('R018 the loading bar is shown while a call is pending, and not after the last', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/emma/message/**', async route => {
    await held
    await route.continue()
  })
  const bar = page.getByRole('progressbar', { name: 'Loading' })
  await expect.poll(() => bar.count()).toBe(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await bar.waitFor()
  release()
  await expect.poll(() => bar.count()).toBe(0)
})

/** Waits until the code of connectivity messages has loaded, after the first screen. */
async function allFetched(): Promise<void> {
  for (const tab of context.pages()) await settled(tab, { isLoading: true })
}

/** Sends a message from a tab to all others. */
function tell(tab: Page, message: string): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  return tab.evaluate(text => new BroadcastChannel('emma-tabs').postMessage(text), message)
}

async function openTab(path: string, heading?: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(`${emma.url}${path}`)
  if (heading) await tab.getByRole('heading', { name: heading }).first().waitFor()
  return tab
}

async function logIn(one: Page): Promise<void> {
  await one.goto(`${emma.url}/login`)
  await submitLogin(one)
  await one.getByRole('heading', { name: 'Dashboard' }).waitFor()
}
