import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'
import { follow } from '../visit.ts'

/** Maximum number of Tab presses to reach an element. */
const mostSteps = 120

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  await api.post('/v2/guided-tour:seen/1')
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R009 log in, skip the navigation, navigate between screens', async () => {
  await logIn()
  await tabTo(page.getByRole('link', { name: 'Skip to the content' }))
  await press('Enter')
  await expectFocus(page.locator('#content'))

  await tabTo(page.getByRole('button', { name: 'Content', exact: true }), 'Shift+Tab')
  await press('Enter')
  await tabTo(page.getByRole('link', { name: 'Placeholders' }))
  await press('Enter')
  await shown('Placeholders')
  await press('g')
  await press('d')
  await shown('Dashboard')
})

test('a campaign: through its steps to the check', async () => {
  const { campagne_id: id } = await api.post('/emma/campaign/1/copy')
  await goTo(`/campaigns/edit/${id}`, 'Autumn roast')
  const path = page.getByRole('navigation', { name: 'Campaign steps' })
  for (const step of ['Audience', 'Sender', 'Time']) {
    await tabTo(path.getByRole('button', { name: new RegExp(`^${step}`) }))
    await press('Enter')
  }
  await tabTo(path.getByRole('button', { name: /^Test/ }), 'Shift+Tab')
  await press('Enter')
  await page.waitForURL(`**/campaigns/test/${id}`)
  // The previous screen has the same path and is unmounted, with its focus, when this one renders.
  await path.getByRole('button', { name: /^Test/ }).and(page.locator('[aria-current="step"]')).waitFor()
  await notLost()
  await tabTo(path.getByRole('button', { name: /^Review and send/ }))
  await press('Enter')
  await page.waitForURL(`**/campaigns/start/${id}`)
  await page.getByText('The sender address belongs to a verified domain').waitFor()
  await tabTo(page.getByRole('button', { name: 'Send now' }))
})

test('R014 R015 reduced motion: no animation has a duration', async () => {
  await goTo('/templates/placeholders', 'Placeholders')
  await watchAnimations()
  await press('Control+k')
  await page.getByRole('textbox', { name: 'Search' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('?')
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await goTo('/campaigns/reports/1', 'Autumn roast')
  expect(await page.evaluate(() => Reflect.get(globalThis, 'lasting'))).toEqual([])
})

// The last test: it changes client and language.
test('R007 client, theme and language are changed', async () => {
  await api.post('/emma/client/', {
    name: 'Southwind Tea',
    contact_email: 'tea@southwind.test',
    language: 'en',
    timezone: 'Europe/Berlin',
  })
  await page.goto(`${emma.url}/dashboard`)
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  const client = page.getByRole('button', { name: /^Switch client/ })
  await tabTo(client)
  await press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('South')
  await page.getByRole('option', { name: 'Northwind Coffee' }).waitFor({ state: 'detached' })
  await page.getByRole('option', { name: 'Southwind Tea' }).waitFor()
  await press('ArrowDown')
  await press('Enter')
  await page.getByRole('button', { name: /Southwind Tea/ }).waitFor()
  await notLost()

  await tabTo(page.getByRole('button', { name: 'Appearance' }))
  await press('Enter')
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
  await tabTo(page.getByRole('menuitemradio', { name: 'Dark' }), 'ArrowDown')
  await press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  await expectFocus(page.getByRole('button', { name: 'Appearance' }))

  await tabTo(page.getByRole('button', { name: 'Language' }), 'Shift+Tab')
  await press('Enter')
  await tabTo(page.getByRole('menuitemradio', { name: 'Deutsch' }), 'ArrowDown')
  await press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toMatch(/^de/)
  await notLost()
})

async function logIn(): Promise<void> {
  await page.goto(`${emma.url}/health`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${emma.url}/login`)
  await page.getByLabel('User name').waitFor()
  await tabTo(page.getByLabel('User name'))
  await page.keyboard.type('admin')
  await tabTo(page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(adminPassword)
  await page.keyboard.press('Enter')
  await shown('Dashboard')
}

/** Presses a key and checks that the focus is not lost. */
async function press(key: string): Promise<void> {
  await page.keyboard.press(key)
  await notLost()
}

/** The focus may be on the body for a moment while elements are replaced. */
async function notLost(): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
}

/** Presses Tab until the element is focused. */
async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    // Queried each time, since the element may have been rendered again.
    if (await target.evaluate(one => document.activeElement === one)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${target.toString()} cannot be reached with ${key}`)
}

async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate(one => document.activeElement === one)).toBe(true)
}

async function shown(heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await notLost()
}

async function goTo(path: string, heading: string): Promise<void> {
  await follow(page, path)
  await shown(heading)
}

/** Records all animations with a duration, except loading spinners. */
async function watchAnimations(): Promise<void> {
  await page.evaluate(() => {
    const lasting: string[] = []
    Reflect.set(globalThis, 'lasting', lasting)
    const look = (): void => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation
        const { activeDuration = 0, iterations } = effect?.getComputedTiming() ?? {}
        const target = effect instanceof KeyframeEffect ? effect.target : null
        if (Number(activeDuration) > 1 && iterations !== Infinity)
          lasting.push(target?.outerHTML.slice(0, 120) ?? '')
      }
      requestAnimationFrame(look)
    }
    look()
  })
}
