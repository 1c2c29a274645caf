import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from '../api-session.ts'
import { choose, inspect } from '../inspect.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { startEmma } from '../start-emma.ts'

/** A newsletter: its schedule is built in the console, a run is sent, the report counts it. */

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
let template: string
let segment: string
let sender: string
let mailclass: string

beforeAll(async () => {
  emma = await startEmma()
  api = await openApi(emma)
  const first = (await api.get('/emma/campaign/1')) as Json
  template = (await api.get(`/emma/message/${first.message_id}`)).name
  segment = (await api.get(`/emma/list/${first.list_id}`)).name
  sender = (await api.get(`/emma/domain/${first.domain_id}`)).name
  mailclass = (await api.get(`/emma/mailclass/${first.mailclass_id}`)).name
  browser = await openBrowser()
  page = await openConsole(browser, emma, { path: '/recurring/archive' })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R060 R061 a schedule is built in the console, with its next runs', async () => {
  await page.getByRole('link', { name: 'Coffee of the week' }).waitFor()
  await inspect(page, 'recurring-list')
  await page.getByRole('link', { name: 'New recurring campaign' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quarterly news')
  await choose(page, 'Template', template)
  await page.getByRole('combobox', { name: 'Unit' }).selectOption('YEARLY')
  await page.getByRole('combobox', { name: 'Month' }).selectOption({ label: 'February' })
  await page.getByRole('combobox', { name: 'Day', exact: true }).selectOption('30')
  await page.getByText('This schedule never has a run.').waitFor()
  await page.getByRole('combobox', { name: 'Unit' }).selectOption('MONTHLY')
  await page.getByRole('textbox', { name: 'Every' }).fill('3')
  await page.getByRole('combobox', { name: 'On', exact: true }).selectOption({ label: 'Last' })
  await page.getByRole('combobox', { name: 'Weekday' }).selectOption({ label: 'Friday' })
  await page.getByText('Every 3 months on the last Friday at 09:00').waitFor()
  const runs = page.getByRole('list', { name: 'Next runs' }).getByRole('listitem')
  await runs
    .filter({ hasText: /^Friday/ })
    .nth(9)
    .waitFor()
  await page.getByRole('region', { name: 'Schedule' }).getByText('Delivery options').click()
  await page.getByRole('textbox', { name: 'Quiet hours from' }).fill('22:00')
  await page.getByRole('textbox', { name: 'until' }).fill('22:01')
  await page.getByRole('textbox', { name: 'Batch size' }).fill('5000')
  await choose(page, 'Segment', segment)
  await page.getByText(/of [\d,]+ subscribers will get it/).waitFor()
  await choose(page, 'Sending domain', sender)
  await page.getByRole('textbox', { name: 'Sender address' }).fill(`news@${sender}`)
  await choose(page, 'Mail class', mailclass)
  await inspect(page, 'recurring-form')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/recurring\/edit\/\d+/)
  const id = /edit\/(\d+)/.exec(page.url())?.[1]
  expect(await api.get(`/recurring/${id}`)).toMatchObject({
    quiet_from: '22:00',
    quiet_to: '22:01',
    window_mails: 5000,
  })
})

test('R060 the demo content has a recurring campaign with finished runs and the next one', async () => {
  const [demo] = (await api.get('/recurring/?search=Coffee')).data as Json[]
  expect(Date.parse(demo?.next_run)).toBeGreaterThan(Date.now())
  const { data: runs } = await api.get(`/recurring/${demo?.recurring_id}/runs/`)
  expect(runs).toMatchObject([
    { state: 'started', valid: 3 },
    { state: 'started', valid: 3 },
  ])
  for (const run of runs) expect(run.estimated_volume).toBeGreaterThan(0)
})

test('R251 a run that is sent now is a campaign of its own, and is in the report', async () => {
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Sent by hand').waitFor()
  const runs = async () =>
    (await api.get('/emma/campaign/?recurring_only=true&search=Quarterly')).data as Json[]
  await until(runs, rows => rows.length === 1 && rows[0]?.estimated_volume > 0)
  expect(await runs()).toMatchObject([{ ctype: 2, name: expect.stringMatching(/^Quarterly news 20/) }])
  await inspect(page, 'recurring-runs')
  await page.getByRole('link', { name: 'Recurring reports' }).click()
  await page.getByRole('link', { name: 'Quarterly news' }).click()
  await page.getByRole('link', { name: /^Quarterly news 20/ }).waitFor()
  await inspect(page, 'recurring-report')
})
