import { join } from 'node:path'
import { type Mailboxes, openMailboxes } from '@emma/testbed/mailboxes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { SENDING_ROLES, startEmma } from '../start-emma.ts'

/** An A/B test: set up in the console, clicked by the testbed's readers, decided by the report, and recounted. */

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
let id: number

const SUBJECTS = ['Our autumn coffee', 'Three roasts for rainy days']

beforeAll(async () => {
  emma = await startEmma({ roles: `${SENDING_ROLES},tracking` })
  api = await openApi(emma)
  const first = await api.get('/emma/campaign/1')
  const copied = ['list_id', 'message_id', 'domain_id', 'mailclass_id', 'fromadr', 'fromname']
  const made = await api.post('/emma/campaign/', {
    client_id: first.client_id,
    ...Object.fromEntries(copied.map(field => [field, first[field]])),
    name: 'Roast of the month',
    subject: SUBJECTS[0],
  })
  id = made.campagne_id
  browser = await openBrowser()
  page = await openConsole(browser, emma, { path: `/campaigns/edit/${id}` })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const report = () => api.get(`/v2/emma/client/1/campaign/${id}/split-report`)

test('R034 an A/B test is set up in the form, which says what it can show', async () => {
  const section = page.getByRole('region', { name: 'A/B test' })
  await section.getByRole('switch', { name: 'Run an A/B test' }).press('Space')
  await section
    .getByRole('listitem', { name: 'Variant B' })
    .getByLabel('Subject')
    .fill(SUBJECTS[1] ?? '')
  await section.getByRole('slider').press('End')
  for (let step = 0; step < 10; step += 1) await section.getByRole('slider').press('ArrowLeft')
  await section.getByText('25% for each variant; 50% get the winner.').waitFor()
  await section.getByLabel('Holdout group').fill('10')
  await section.getByText(/^\d+ recipients per variant$/).waitFor()
  await inspect(page, 'split-form')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(
    () => api.get(`/emma/campaign/${id}`),
    record => record.split?.holdout_percent === 10 && record.split.sample_percent === 50,
  )
})

test('R196 the sample is sent, and the report compares what the readers did', async () => {
  await api.post(`/emma/campaign/${id}/start`)
  await page.goto(`${emma.url}/campaigns/start/${id}`)
  await page.getByText(/The test sample has been sent\. The winner is chosen on/).waitFor()
  await inspect(page, 'split-monitor')
  await until(report, ({ parts }) => (parts as Json[]).some(({ clicked }) => clicked > 0))
  await page.getByRole('link', { name: 'To the result' }).click()
  await page.getByRole('button', { name: 'Send variant B' }).waitFor()
  await inspect(page, 'split-report')
})

test('R196 the winner goes to all others, nobody gets two variants, and the holdout gets none', async () => {
  await page.getByRole('button', { name: 'Send variant B' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send variant B' }).click()
  // Some mailboxes are full or greylisted, and tried again for a while. What a mailbox has is counted a moment later.
  const { first, second, parts, winner } = await until<Json>(
    async () => ({ ...received(), ...(await report()) }),
    ({ first, parts: [a, , , rest] }) => rest.sent > 0.9 * rest.recipients && a.sent >= first.length,
  )
  await page.getByText(/ chose variant B on/).waitFor()
  expect(winner).toBe(1)
  const [a, b, held, rest] = parts as Json[]
  const recipients = [a, b, held, rest].map(part => part?.recipients)
  const all = recipients.reduce((sum, count) => sum + count, 0)
  expect(held).toMatchObject({ part: 'holdout', recipients: Math.floor(all / 10), sent: 0 })
  expect(Math.abs(recipients[0] - recipients[1])).toBeLessThanOrEqual(1)
  const got: string[] = [...first, ...second]
  expect(new Set(got).size).toBe(got.length)
  expect(first.length).toBeLessThanOrEqual(recipients[0])
  expect(second.length).toBeGreaterThan(first.length)
  expect(got.length).toBeLessThanOrEqual(all - held?.recipients)
})

test('R198 the recipients of the report are filtered by variant', async () => {
  const { parts } = await report()
  const [a, b, , rest] = (parts as Json[]).map(part => part.recipients)
  const drawer = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Recipients', exact: true }).click()
  await drawer.getByRole('button', { name: 'Variant' }).first().click()
  await page.getByRole('radio', { name: 'B', exact: true }).click()
  await drawer.getByText(`1–25 of ${b}`).waitFor()
  await inspect(page, 'split-recipients')
  await page.keyboard.press('Escape')
  const listed = async (query: string) => (await api.get(`/emma/report/${id}/recipients?${query}`)) as Json
  for (const [variant, count] of Object.entries({ A: a, B: b, rest })) {
    const { data, pagination } = await listed(`limit=1&variant=${variant}`)
    expect(pagination.total).toBe(count)
    expect(data).toMatchObject([{ variant: variant === 'rest' ? 'B' : variant }])
  }
})

test('R196 the campaign goes again to those who have not clicked', async () => {
  await page.goto(`${emma.url}/campaigns/reports/${id}`)
  await page.getByRole('button', { name: 'Send again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Recipients who have not clicked' }).click()
  await dialog.getByRole('textbox', { name: 'New subject' }).fill('One more cup?')
  await inspect(page, 'resend')
  await dialog.getByRole('button', { name: 'Make a draft' }).click()
  await page.waitForURL(/campaigns\/edit\/\d+/)
  const draft = await api.get(`/emma/campaign/${/edit\/(\d+)/.exec(page.url())?.[1]}`)
  expect(draft).toMatchObject({
    name: 'Roast of the month (not clicked)',
    valid: 0,
    subject: 'One more cup?',
    split: null,
  })
  // Readers go on clicking: both are counted until they agree.
  await until(
    async () => {
      const { nb_send, nb_click } = await api.get(`/emma/report/${id}`)
      const { total } = await api.post('/v2/emma/client/1/campaign/list:count', { list_id: draft.list_id })
      return [total, nb_send - nb_click]
    },
    ([counted, expected]) => counted === expected,
  )
})

/** Recipients of the mails in the testbed's mailboxes, by variant. */
function received(): { first: string[]; second: string[] } {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const [first = [], second = []] = SUBJECTS.map(subject => recipientsOf(mailboxes, subject))
  mailboxes.close()
  return { first, second }
}

function recipientsOf(mailboxes: Mailboxes, subject: string): string[] {
  const limit = 500
  const recipients = new Map<number, string>()
  // A mail that arrives between two pages moves others to the next one, where they are found again.
  for (let offset = 0; offset < mailboxes.listMessages({ search: subject }).total; offset += limit)
    for (const { id: mail, recipient } of mailboxes.listMessages({ search: subject, limit, offset }).rows)
      recipients.set(mail, recipient)
  return [...recipients.values()]
}
