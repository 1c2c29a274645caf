import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillScreens, screens } from './a11y-addresses.ts'
import { openApi } from './api-session.ts'
import { openBrowser } from './open-browser.ts'
import { adminPassword, type RunningEmma } from './launch-emma.ts'
import { startEmma } from './start-emma.ts'

const wide = { width: 1440, height: 900 }
/** Includes best practices: one main landmark, heading order, distinguishable landmarks. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const narrow = { width: 360, height: 740 }

let emma: RunningEmma
let browser: Browser
let emmaBrand: Watched | undefined

beforeAll(async () => {
  emma = await startEmma()
  await fillScreens(await openApi(emma))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** Paths by product area. */
const areas = Map.groupBy(screens, path => path.split('/')[1] ?? '')

test.each([...areas])(
  'R022–R134 the screens of /%s have no accessibility violations in both themes, wide and narrow',
  async (_area, paths) => {
    emmaBrand ??= await openWatched('localhost')
    const found: string[] = []
    for (const path of paths) found.push(...(await faultsOf(emmaBrand, path)))
    expect([...found, ...emmaBrand.faults.splice(0)]).toEqual([])
  },
)

test('R001 the colors of the other brand have sufficient contrast', async () => {
  const watched = await openWatched('ems.localhost')
  const sample = [
    '/dashboard',
    '/campaigns/edit/2',
    '/campaigns/reports/1',
    '/subscribers/segments/edit/2',
    '/usersettings',
  ]
  const found: string[] = []
  for (const path of sample) found.push(...(await faultsOf(watched, path)))
  expect([...found, ...watched.faults]).toEqual([])
})

/**
 * Accessibility violations of a screen: all rules wide in the light theme and narrow in the dark theme, and contrast
 * wide in the dark theme.
 */
async function faultsOf({ page, settled, judged }: Watched, path: string): Promise<string[]> {
  const faults: string[] = []
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  if (!(await open(page, path))) faults.push('has no heading')
  await settled()
  // The placeholder of unbuilt screens is checked once.
  if (judged.has(await screenOf(page))) return faults
  judged.add(await screenOf(page))
  faults.push(...(await violations(page, 'wide')))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await settled()
  faults.push(...(await violations(page, 'wide, dark', ['color-contrast'])))
  await page.setViewportSize(narrow)
  await settled()
  faults.push(...(await violations(page, 'narrow, dark')), ...(await overflow(page)))
  return faults.map(fault => `${path} ${fault}`)
}

/** Identifies a screen: by its path, or as unbuilt, with or without the shell. */
async function screenOf(page: Page): Promise<string> {
  const { pathname } = new URL(page.url())
  const isBuilt = (await page.getByRole('heading', { name: 'This page is not built yet' }).count()) === 0
  return isBuilt ? pathname : `not built, ${await page.getByRole('navigation').count()}`
}

async function violations(page: Page, when: string, rules?: string[]): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults, RunOptions>(
    // Accessed by name: the script is injected into the page.
    options => Reflect.get(globalThis, 'axe').run(document, options),
    {
      iframes: false,
      resultTypes: ['violations'],
      runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
    },
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `(${when}) ${id}: ${html.slice(0, 240)} ${failureSummary}`),
  )
}

/** Elements wider than the narrowest phone, which would make the page scroll horizontally. */
async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.body.querySelectorAll('*')].filter(
      element => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return [`is ${scrollWidth} px wide: ${outside.at(-1)?.outerHTML.slice(0, 200)}`]
  })
}

interface Watched {
  page: Page
  /** Errors and warnings of the browser's console, and missing texts that it reported. */
  faults: string[]
  /** Screens that have been checked. */
  judged: Set<string>
  /** Resolves when all requests have finished. */
  settled: () => Promise<void>
}

async function openWatched(host: string): Promise<Watched> {
  const context: BrowserContext = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: wide,
  })
  await context.addInitScript(axe.source)
  const page = await context.newPage()
  const faults: string[] = []
  const say = (text: string) => faults.push(`${new URL(page.url()).pathname} ${text}`)
  const running = new Set<Request>()
  page.on('pageerror', error => say(error.message))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      say(`${message.type()}: ${message.text()}`)
  })
  page.on('request', request => {
    running.add(request)
    if (/\/locales\/(?:add|missing)/.test(request.url())) say(`missing text: ${request.postData()}`)
  })
  page.on('requestfinished', request => running.delete(request))
  page.on('requestfailed', request => running.delete(request))

  const origin = emma.url.replace('localhost', host)
  await page.goto(`${origin}/login`)
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await markToursSeen(page)
  await page.goto(`${origin}/usersettings`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return {
    page,
    faults,
    judged: new Set(),
    async settled() {
      for (let quiet = 0; quiet < 2; quiet = running.size === 0 ? quiet + 1 : 0)
        await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 40)))
      // Colors are only measured after transitions have ended.
      await page.evaluate(async () => {
        await new Promise(requestAnimationFrame)
        const passing = document
          .getAnimations()
          .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
        await Promise.allSettled(passing.map(({ finished }) => finished))
      })
    },
  }
}

/** Marks the first tour as seen: it would start over the dashboard. */
async function markToursSeen(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const token = localStorage.getItem('loginToken') ?? ''
    await fetch('/api/v2/guided-tour:seen/1', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
  })
}

/** Navigates like a link of the console and waits for the screen's heading. */
async function open(page: Page, path: string): Promise<boolean> {
  await page.evaluate(to => {
    for (const heading of document.querySelectorAll('h1'))
      heading.setAttribute('data-before', heading.textContent)
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  // A new heading, or the previous element with another text.
  const isThere = page.waitForFunction(
    () => {
      const heading = document.querySelector('h1')
      return heading !== null && heading.getAttribute('data-before') !== heading.textContent
    },
    undefined,
    { timeout: 30_000 },
  )
  return isThere.then(
    () => true,
    () => false,
  )
}
