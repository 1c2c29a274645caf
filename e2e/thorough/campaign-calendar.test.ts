import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { type ApiSession, openApi, until } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('a draft is moved to the next day by keyboard, and the week is in the URL', async () => {
  // Next year, far from DST changes.
  const month = `${new Date().getFullYear() + 1}-06`
  const start = `${month}-10T09:30:00.000Z`
  const made = await api.post('/emma/campaign/', { name: 'Spring news', startdate: start })
  const id: number = made.campagne_id ?? made.data.campagne_id
  await page.goto(`${emma.url}/campaigns/calendar?day=${month}-10`)
  const item = page.getByRole('button', { name: /Spring news/ })
  await item.waitFor()
  await inspect(page, 'campaign-calendar')
  await item.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const stored = async (): Promise<string> => {
    const found = await api.get(`/emma/campaign/${id}`)
    return found.startdate ?? found.data.startdate
  }
  await until(stored, startdate => new Date(startdate).toISOString() === `${month}-11T09:30:00.000Z`)
  await page
    .locator(`td[data-day="${month}-11"]`)
    .getByRole('button', { name: /Spring news/ })
    .waitFor()

  await page.getByRole('radiogroup', { name: 'View' }).getByText('Week').click()
  await page.waitForURL('**view=week**')
  await page.reload()
  await page.getByRole('button', { name: /Spring news/ }).click()
  await page.waitForURL(`**/campaigns/edit/${id}*`)
})
