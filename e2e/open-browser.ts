import { tokenKey } from '@emma/client/token-key.ts'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { inject } from 'vitest'
import type { RunningEmma } from './launch-emma.ts'
import { logIn } from './log-in.ts'
import { watchFaults } from './page-faults.ts'
import { countRequests } from './settled.ts'

/** Timeout of actions in a page, as long as that of `expect.poll`: a slow machine fails nothing. */
const TIMEOUT_MS = 120_000

const browsers: Browser[] = []

/** The contexts that the running test file has open. */
export function openContexts(): BrowserContext[] {
  return browsers.flatMap(browser => browser.contexts())
}

/** Connects to the Chromium that all journeys share. Closing the connection closes the contexts opened on it alone. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.connect(inject('emmaBrowser'))
  browsers.push(browser)
  browser.on('context', context => {
    context.setDefaultTimeout(TIMEOUT_MS)
    watchFaults(context)
    countRequests(context)
  })
  return browser
}

interface SessionOptions extends BrowserContextOptions {
  username?: string
  password?: string
  /** Host name, by which the console chooses its brand. */
  host?: string
}

/** A context with a session of its own in local storage, without the login form (which has tests of its own). */
export async function openSession(
  browser: Browser,
  { url }: RunningEmma,
  { username, password, host = 'localhost', ...contextOptions }: SessionOptions = {},
): Promise<BrowserContext> {
  const localStorage = [{ name: tokenKey, value: await logIn({ url }, username, password) }]
  return browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: onHost(url, host), localStorage }] },
    ...contextOptions,
  })
}

interface ConsoleOptions extends SessionOptions {
  path?: string
  /** Called before the page loads anything. */
  prepare?: (page: Page) => unknown
}

/** A page of the console in a session of its own, when its heading is there. */
export async function openConsole(
  browser: Browser,
  emma: RunningEmma,
  { path = '/dashboard', prepare, ...options }: ConsoleOptions = {},
): Promise<Page> {
  const context = await openSession(browser, emma, options)
  const page = await context.newPage()
  await prepare?.(page)
  await page.goto(`${onHost(emma.url, options.host ?? 'localhost')}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

function onHost(url: string, host: string): string {
  return url.replace('localhost', host)
}
