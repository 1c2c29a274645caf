import { type Browser, chromium, type Page } from 'playwright-core'
import { lookForChromium } from '../scripts/find-programs.mjs'
import { adminPassword, type RunningEmma } from './launch-emma.ts'

/** The console in a page, logged in as the admin through the login screen. */
export interface Console {
  page: Page
  /** Unexpected errors of the page; empty in a successful journey. */
  faults: string[]
}

/** Timeout in ms of waits for the page; fast pages do not wait. */
const patience = 60_000

/**
 * Launches Chromium (EMMA_CHROMIUM, or its usual path).
 *
 * @param flags additional command line flags
 */
export async function openBrowser(...flags: string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: lookForChromium(),
    args: ['--no-sandbox', ...flags],
  })
  browser.on('context', context => context.setDefaultTimeout(patience))
  return browser
}

export async function openConsole(browser: Browser, { url }: RunningEmma): Promise<Console> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('response', response => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${url}/login`)
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return { page, faults }
}
