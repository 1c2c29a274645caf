import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi } from './api-session.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import type { RunningEmma } from './launch-emma.ts'
import { startEmma } from './start-emma.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma()
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('calendar: a scheduled campaign cannot be put on a past day, and a move can be undone', async () => {
  const id = await copyCampaign('Calendar safety')
  const [yesterday, tomorrow, dayAfter] = [dayFromNow(-1), dayFromNow(1), dayFromNow(2)]
  await api.patch(`/emma/campaign/${id}`, { startdate: `${tomorrow}T09:30:00.000Z` })
  await api.post(`/emma/campaign/${id}/start`)
  const startdate = async (): Promise<string> => (await record(id)).startdate
  await page.goto(`${emma.url}/campaigns/calendar?day=${tomorrow}`)
  const item = page.getByRole('button', { name: /Calendar safety/ })
  const cell = (day: string) => page.locator(`td[data-day="${day}"]`)
  await item.dragTo(cell(dayAfter))
  const moved = page.getByRole('status').filter({ hasText: 'Calendar safety moved to' })
  await moved.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(startdate).toContain(tomorrow)
  await cell(tomorrow)
    .getByRole('button', { name: /Calendar safety/ })
    .waitFor()

  await item.dragTo(cell(yesterday))
  await item.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByText('The start has to be in the future.').waitFor()
  expect(await startdate()).toContain(tomorrow)
  expect((await record(id)).started_at).toBeNull()
})

test('campaign form: "Review and send" saves first, from the button and from the steps', async () => {
  const id = await copyCampaign('Saved on the way')
  await page.goto(`${emma.url}/campaigns/edit/${id}`)
  await page.getByLabel('Name', { exact: false }).first().fill('Saved by the button')
  await page.getByRole('button', { name: 'Review and send', exact: true }).click()
  await page.waitForURL(`**/campaigns/start/${id}`)
  await page.getByRole('heading', { name: 'Saved by the button' }).waitFor()
  expect((await record(id)).name).toBe('Saved by the button')

  await page.goto(`${emma.url}/campaigns/edit/${id}`)
  await page.getByLabel('Name', { exact: false }).first().fill('Saved by the step')
  const steps = page.getByRole('navigation', { name: 'Campaign steps' })
  await steps.getByRole('button', { name: /^Review and send/ }).click()
  await page.waitForURL(`**/campaigns/start/${id}`)
  expect((await record(id)).name).toBe('Saved by the step')
})

test('campaign check: an unsaved draft of this device blocks sending until it is saved or discarded', async () => {
  const id = await copyCampaign('With a draft')
  await page.goto(`${emma.url}/campaigns/edit/${id}`)
  await page.getByLabel('Name', { exact: false }).first().fill('Never saved')
  // Leaving without saving keeps the draft.
  await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`${emma.url}/campaigns/start/${id}`)
  await page.getByText('This campaign has unsaved changes').waitFor()
  const send = page.getByRole('button', { name: 'Send now' })
  await page.getByText('recipients', { exact: true }).waitFor()
  for (const warning of await page.getByRole('checkbox').all()) await warning.check()
  expect(await send.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => send.isEnabled()).toBe(true)
})

test('campaign test: an invalid address is marked and named, the others are kept, and the test step stays done', async () => {
  const id = await copyCampaign('To be tested')
  await page.goto(`${emma.url}/campaigns/test/${id}`)
  const addresses = page.getByRole('combobox', { name: 'Addresses' })
  await addresses.fill('ok-ann@gmail.test')
  await page.keyboard.press('Enter')
  await addresses.fill('not an address')
  await page.keyboard.press('Tab')
  await page.locator('[data-invalid]', { hasText: 'not an address' }).waitFor()
  await page.getByText('“not an address” is not an email address. Correct or remove it.').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  expect((await record(id)).tested_at).toBeNull()
  await page.locator('[data-invalid] button').click()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('ok-ann@gmail.test').nth(1).waitFor()
  await page.goto(`${emma.url}/campaigns/start/${id}`)
  const steps = page.getByRole('navigation', { name: 'Campaign steps' })
  await steps.getByRole('button', { name: /^Test.*Done/i }).waitFor()
})

test('segment: values are trimmed on blur, and Enter in a value does not save', async () => {
  const { data } = await api.get('/emma/membertable/')
  const { list_id } = await api.post('/emma/list/', {
    name: 'Cities',
    member_table_id: data[0].member_table_id,
    query: { combinator: 'and', rules: [{ field: 'email', operator: 'in', value: ['a@web.test'] }] },
  })
  await page.goto(`${emma.url}/subscribers/segments/edit/${list_id}`)
  const values = page.getByRole('combobox', { name: 'Values' })
  await values.press('Enter')
  await values.pressSequentially('b@web.test, c@web.test')
  await page.keyboard.press('Tab')
  const stored = async (): Promise<unknown> =>
    recordOf(await api.get(`/emma/list/${list_id}`)).query.rules[0].value
  expect(await stored()).toEqual(['a@web.test'])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(stored).toEqual(['a@web.test', 'b@web.test', 'c@web.test'])
})

async function record(id: number): Promise<Json> {
  return recordOf(await api.get(`/emma/campaign/${id}`))
}

function recordOf(answer: Json): Json {
  return answer.data ?? answer
}

/** Copies the demo campaign, which is ready to start. */
async function copyCampaign(name: string): Promise<number> {
  const { campagne_id: id } = await api.post('/emma/campaign/1/copy')
  await api.patch(`/emma/campaign/${id}`, { name })
  return id
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
