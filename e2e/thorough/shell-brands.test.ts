import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { RunningEmma } from '../launch-emma.ts'
import { findViolations } from '../find-violations.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { allowFaults } from '../page-faults.ts'
import { settled } from '../settled.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

const brands = [
  { host: 'emma.localhost', name: 'EMMA', light: '#e8590c', dark: '#7c2d12' },
  { host: 'ems.localhost', name: 'EMS', light: '#339af0', dark: '#164a7e' },
] as const
const production = ['console.emma.example', 'console.ems.example']

let emma: RunningEmma
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})
afterEach(() => context.close())

test.each(brands)('R001 R005 $name: title, favicon and theme color on $host', async brand => {
  const page = await open(brand.host, { colorScheme: 'light' })
  expect(await page.title()).toMatch(new RegExp(`^${brand.name}( ·|$)`))
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe(
    `/favicon-${brand.name.toLowerCase()}.svg`,
  )
  await expect.poll(() => themeColor(page)).toBe(brand.light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => themeColor(page)).toBe(brand.dark)
  expect(await page.evaluate(() => document.body.className)).not.toContain('brand-')
})

test.each(production)('R006 %s has the brand’s style', async host => {
  // Chromium logs an error for this header on a page without TLS.
  allowFaults(/Cross-Origin-Opener-Policy/)
  const page = await open(host, {})
  const key = host.split('.')[1] ?? ''
  expect(await page.evaluate(() => document.body.classList.contains('brand-emma'))).toBe(key === 'emma')
  expect(await page.evaluate(() => document.body.classList.contains('brand-ems'))).toBe(key === 'ems')
  const accent = await page.evaluate(() => getComputedStyle(document.body).accentColor)
  expect(accent).toBe(key === 'emma' ? 'rgb(232, 89, 12)' : 'rgb(51, 154, 240)')
})

test('R002 R004 EMMA: a text logo, links to its website and to the tickets', async () => {
  const page = await openInside('localhost')
  const logo = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first()
  expect(await logo.innerText()).toMatch(/Beyond\s+Relationship Marketing/)
  await page.getByRole('button', { name: /^Account of/ }).click()
  expect(await page.getByRole('menuitem', { name: 'About EMMA' }).getAttribute('href')).toMatch(/^https:/)
  expect(await page.getByRole('menuitem', { name: 'Report a problem' }).getAttribute('href')).toMatch(
    /^https:/,
  )
})

test('R003 EMS: an image logo, another in dark mode, and no tickets', async () => {
  const page = await openInside('ems.localhost')
  const logo = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('img', { name: 'EMS' })
  const source = async () => ({
    src: await logo.getAttribute('src'),
    isDrawn: await logo.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth > 0),
  })
  await expect.poll(source).toEqual({ src: '/logo-ems-light.svg', isDrawn: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(source).toEqual({ src: '/logo-ems-dark.svg', isDrawn: true })
  await page.getByRole('button', { name: /^Account of/ }).click()
  expect(await page.getByRole('menuitem', { name: 'About EMS' }).getAttribute('href')).toMatch(/^https:/)
  expect(await page.getByRole('menuitem', { name: 'Report a problem' }).count()).toBe(0)
})

test.each(brands.flatMap(({ host }) => ['light', 'dark'].map(scheme => [host, scheme] as const)))(
  'R005 %s in %s is accessible',
  async (host, scheme) => {
    const page = await openInside(host, { colorScheme: scheme === 'dark' ? 'dark' : 'light' })
    await page.getByText('Active subscribers').waitFor()
    await settled(page)
    const violations = await findViolations(page)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
  },
)

test('R013 notifications: 350 px, success closes after 5 s, warnings stay, all can be closed at once', async () => {
  const page = await openInside('localhost', {}, async one => one.clock.install())
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  const warning = page.getByRole('alert').filter({ hasText: 'You are offline' })
  await warning.waitFor()
  await page.clock.fastForward(20_000)
  expect(await warning.count()).toBe(1)
  const box = await warning.boundingBox()
  expect(box?.width).toBeLessThanOrEqual(350)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1440 - 40)
  // Below the heading, so that its buttons are not covered.
  expect(box?.y).toBeGreaterThan(100)
  expect(box?.y).toBeLessThan(180)

  // From here on the clock only advances explicitly.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const success = page.getByRole('status').filter({ hasText: 'You are online again' })
  await success.waitFor()
  await page.clock.runFor(4500)
  expect(await success.count()).toBe(1)
  await page.clock.runFor(1500)
  await success.waitFor({ state: 'detached' })

  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await page.getByRole('button', { name: 'Close all' }).click()
  await page.clock.runFor(1000)
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await success.waitFor({ state: 'detached' })
})

test('R015 a modal: z-index 1050, 300 ms transition, backdrop fade of 150 ms', async () => {
  const page = await openInside('localhost', { reducedMotion: 'no-preference' })
  await page.evaluate(() => {
    const seen: Record<string, string> = {}
    // Transition durations are only set during a transition.
    new MutationObserver(changes => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement) || target.style.transitionDuration === '') continue
        const part = ['content', 'overlay'].find(name => target.classList.contains(`mantine-Modal-${name}`))
        if (part) seen[part] = getComputedStyle(target).transitionDuration
      }
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['style'] })
    Object.assign(window, { seen })
  })
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  const layer = (selector: string) =>
    page.locator(selector).evaluate(element => getComputedStyle(element).zIndex)
  expect(await layer('.mantine-Modal-inner')).toBe('1050')
  expect(await layer('.mantine-Modal-overlay')).toBe('1050')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'seen')))
    .toEqual({ content: '0.3s', overlay: '0.15s' })
})

test('R015 a click on the backdrop of a static modal nudges it for 100 ms', async () => {
  const page = await openInside('localhost', { reducedMotion: 'no-preference' })
  await page.goto(`${new URL(page.url()).origin}/subscribers/edit/1`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Erase person (GDPR)' }).click()
  await page.getByRole('dialog').waitFor()
  await page.evaluate(() => {
    const durations: unknown[] = []
    // oxlint-disable-next-line typescript/unbound-method -- called with its element below
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, options) {
      durations.push(typeof options === 'object' ? options.duration : options)
      return animate.call(this, frames, options)
    }
    Object.assign(window, { durations })
  })
  await page.mouse.click(5, 400)
  expect(await page.evaluate(() => Reflect.get(window, 'durations'))).toContain(100)
  expect(await page.getByRole('dialog').count()).toBe(1)
})

test.each([
  ['2026-12-24T12:00:00', 'no-preference', 1],
  ['2026-12-24T12:00:00', 'reduce', 0],
  ['2026-06-24T12:00:00', 'no-preference', 0],
] as const)('R014 on %s, with motion “%s”: snow around a modal (%s)', async (day, reducedMotion, areas) => {
  const page = await openInside(
    'localhost',
    { reducedMotion },
    one => one.clock.setFixedTime(new Date(day)),
    false,
  )
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  const snow = page.locator('[data-snowflakes="300"] canvas')
  await expect.poll(() => snow.count()).toBe(areas)
  expect(await snow.evaluateAll(all => all.map(canvas => getComputedStyle(canvas).zIndex))).toEqual(
    Array.from({ length: areas }, () => '1050'),
  )
  await page.keyboard.press('Escape')
  await expect.poll(() => snow.count()).toBe(0)
})

// The last test: it changes the user's language.
test('R007 three languages can be selected; an unsupported one falls back to English', async () => {
  const page = await openInside('localhost')
  await page.getByRole('button', { name: 'Language' }).click()
  await expect
    .poll(() => page.getByRole('menuitemradio').allInnerTexts())
    .toEqual(['English', 'Deutsch', 'Español'])
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Sprache' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await page.goto(page.url().replace(/\/dashboard.*/, '/dashboard?lng=fr'))
  await page.getByRole('button', { name: 'Language' }).waitFor()
})

type Look = Parameters<Browser['newContext']>[0]

async function open(host: string, look: Look): Promise<Page> {
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...look,
  })
  const page = await context.newPage()
  await page.goto(`http://${host}:${emma.port}/login`)
  await page.getByLabel('User name').waitFor()
  return page
}

async function openInside(
  host: string,
  look: Look = {},
  prepare?: (page: Page) => Promise<void>,
  isPunctual = true,
): Promise<Page> {
  const page = await openConsole(browser, emma, { host, ...look, prepare: isPunctual ? prepare : undefined })
  context = page.context()
  if (!isPunctual) await prepare?.(page)
  return page
}

function themeColor(page: Page): Promise<string | null> {
  return page.locator('meta[name=theme-color]').getAttribute('content')
}
