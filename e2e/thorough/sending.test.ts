import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { choose, inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { startEmma } from '../start-emma.ts'

/** The prefix before the hyphen tells the testbed how these recipients behave. */
const people = {
  opens: 'open-anna@gmail.test',
  clicks: 'click-ben@web.test',
  bounces: 'bounce-carla@gmx.test',
  reads: 'ok-dora@icloud.test',
}

let emma: RunningEmma
let browser: Browser
let page: Page
let api: ApiSession

beforeAll(async () => {
  emma = await startEmma()
  api = await openApi(emma)
  await addPeople(api)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('a campaign is created, sent, reported and received', async () => {
  // Content, audience, sender.
  await page.getByRole('link', { name: 'New campaign' }).click()
  await page.getByLabel('Name', { exact: false }).first().fill('Journey')
  await choose(page, 'Template', 'Autumn roast')
  await choose(page, 'Segment', 'Journey people')
  await choose(page, 'Sending domain', 'northwind.test')
  await page.getByLabel('Sender name').fill('Northwind Coffee')
  await page.getByRole('textbox', { name: 'Sender address' }).fill('hello@northwind.test')
  await choose(page, 'Mail class', 'Newsletter')
  await page.getByText('of 4 subscribers will get it').waitFor()
  await page.frameLocator('iframe').first().getByText('Northwind Coffee').first().waitFor()
  await inspect(page, 'campaign-edit')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.waitForURL(/\/campaigns\/edit\/\d+$/)

  // Review and send: warnings are accepted, then the start is confirmed.
  await page.getByRole('button', { name: 'Review and send', exact: true }).click()
  await page.getByText('recipients').waitFor()
  for (const warning of await page.getByRole('checkbox').all()) await warning.check()
  await inspect(page, 'campaign-check')
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Finished', { exact: true }).waitFor()
  await page.getByRole('progressbar', { name: 'Journey' }).waitFor()
  await inspect(page, 'campaign-finished')

  // The report, down to the recipient behind a number.
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  const funnel = page.getByRole('list', { name: 'What happened' })
  await funnel.getByRole('button', { name: /^Delivered/ }).waitFor()
  await expect
    .poll(() => funnel.getByRole('button').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Recipients\s+4\s/),
      expect.stringMatching(/^Sent\s+4\s/),
      expect.stringMatching(/^Delivered\s+3\s/),
      expect.stringMatching(/^Opened\s/),
      expect.stringMatching(/^Clicked\s/),
    ])
  await inspect(page, 'report')
  await page.getByRole('button', { name: /^Bounced/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Bounced' })
  await drawer.getByText(people.bounces).waitFor()
  expect(await drawer.getByText(people.reads).count()).toBe(0)
  await inspect(page, 'report-recipients')
  await page.keyboard.press('Escape')

  // The received message and its authentication result.
  await page.goto(`${emma.url}/system/testbed?mailbox=${encodeURIComponent(people.reads)}`)
  await page.getByRole('link', { name: /autumn roast is here/ }).click()
  await page.getByText('Authentication passed').first().waitFor()
  await inspect(page, 'testbed')
})

test('R035 the monitor of a slow campaign shows what holds its queue back, and pauses it', async () => {
  const { data } = await api.get('/emma/campaign/?search=Journey')
  const { campagne_id: id } = await api.post(`/emma/campaign/${data[0].campagne_id}/copy`)
  await api.patch(`/emma/campaign/${id}`, { throttle: 1, throttle_unit: 'hour' })
  await api.post(`/emma/campaign/${id}/start`, { startdate: null })
  await page.goto(`${emma.url}/campaigns/monitoring/${id}`)
  const queue = page.getByRole('region', { name: 'Queue', exact: true })
  await queue.getByText('Sending rate of the campaign: 1 per hour').waitFor()
  await page.getByRole('region', { name: 'Mail classes' }).getByText('In use').waitFor()
  await inspect(page, 'campaign-queue')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Paused', { exact: true }).first().waitFor()
  await queue.getByText('Sending rate of the campaign: 1 per hour').waitFor({ state: 'detached' })
  await queue
    .getByRole('link', { name: /: Waiting: 1$/ })
    .first()
    .click()
  await page
    .getByRole('dialog', { name: /: Waiting$/ })
    .getByText('.test')
    .first()
    .waitFor()
})

/** Creates a datasource with the recipients of this journey, and a segment of all of them. */
async function addPeople(api: ApiSession): Promise<void> {
  const { client_id, member_table_id } = await api.post('/emma/membertable/', { name: 'Journey' })
  for (const email of Object.values(people))
    await api.post(`/v2/emma/client/${client_id}/membertable/${member_table_id}/member/`, { email })
  await api.post('/emma/list/', { name: 'Journey people', member_table_id })
}
