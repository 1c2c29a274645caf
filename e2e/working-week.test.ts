import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from './api-session.ts'
import { choose, inspect } from './inspect.ts'
import { adminPassword, type RunningEmma } from './launch-emma.ts'
import { submitLogin } from './log-in.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

/** A working week of a marketer in the console, one day per test; its figures are recounted from the mails received. */

const SUBJECTS = ['Friday tasting', 'Come and taste our coffee']

/** Addresses by city. The word before the hyphen tells the testbed how the mailbox behaves. */
const PEOPLE = {
  Berlin: [
    ...Array.from({ length: 12 }, (_, row) => `ok-week-${row}@gmail.test`),
    'click-week@web.test',
    'open-week@gmail.test',
    'promo-week@gmail.test',
    'spam-week@gmx.test',
    'reject-week@gmx.test',
  ],
  Hamburg: ['ok-harbour@gmail.test', 'bounce-harbour@gmx.test', 'complain-harbour@gmail.test'],
}
const MEMBERS = PEOPLE.Berlin.length + PEOPLE.Hamburg.length

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
let tableId: number
let sender: string
let campaignId: number
let splitId: number
let runId: number

beforeAll(async () => {
  emma = await startEmma()
  api = await openApi(emma)
  const roles = (await api.get('/role/')).data as Json[]
  for (const [username, firstname] of Object.entries({ mia: 'Mia', ben: 'Ben' }))
    await api.post('/user/', {
      username,
      firstname,
      lastname: 'Week',
      email: `${username}@example.test`,
      password: adminPassword,
      roles: [roles.find(({ name }) => name === 'Administrator')?.id],
      clients: [1],
    })
  const table = await api.post('/emma/membertable/', { client_id: 1, name: 'Tasters' })
  tableId = table.member_table_id
  await api.patch(`/emma/membertable/${tableId}`, {
    emmamembertableschema: [
      ...table.emmamembertableschema,
      { column_name: 'city', label: 'City', data_type: 'string', length: 50 },
    ],
  })
  const first = await api.get('/emma/campaign/1')
  sender = (await api.get(`/emma/domain/${first.domain_id}`)).name
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('Monday: signs in, looks at the dashboard, imports subscribers, makes a template and segments', async () => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  await page.goto(`${emma.url}/`)
  await submitLogin(page, 'mia')
  await page.getByRole('button', { name: 'End the tour' }).click()
  await page.getByText('Active subscribers').waitFor()
  await inspect(page, 'week-dashboard')

  await visit(page, `/subscribers/dataupload/edit/new?table=${tableId}`)
  const rows = Object.entries(PEOPLE).flatMap(([city, emails]) => emails.map(email => `${email};${city}`))
  await page.locator('input[type=file]').setInputFiles({
    name: 'tasters.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['email;city', ...rows, 'no address;Bonn'].join('\r\n')),
  })
  await page.getByRole('button', { name: 'Start import' }).waitFor()
  await inspect(page, 'week-import-columns')
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByRole('button', { name: 'Download rows with errors' }).waitFor()
  await inspect(page, 'week-import-result')
  expect((await members()).length).toBe(MEMBERS)

  await visit(page, '/templates/catalog')
  await page.getByRole('button', { name: /^Dinner invitation/ }).click()
  await page.getByRole('button', { name: 'Use this design' }).click()
  await page.waitForURL(/templates\/edit\/\d+$/)
  await inspect(page, 'week-template')

  for (const city of Object.keys(PEOPLE)) await addSegment(city)
})

test('Tuesday: a campaign is planned, tested, approved by a second person, sent and received', async () => {
  await api.patch('/emma/client/1', { campaign_approval: true })
  await visit(page, '/campaigns/edit/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tuesday dinner')
  await chooseContent('Berlin')
  await page.getByText(`of ${PEOPLE.Berlin.length} subscribers will get it`).waitFor()
  await inspect(page, 'week-campaign')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.waitForURL(/\/campaigns\/edit\/\d+$/)
  campaignId = idInAddress()

  await visit(page, `/campaigns/test/${campaignId}`)
  await page.getByRole('combobox', { name: 'Addresses' }).fill('ok-mia@gmail.test')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect
    .poll(() => received('ok-mia@').map(({ subject }) => subject))
    .toEqual([expect.stringMatching(/^\[TEST\] A table for you/)])

  await visit(page, `/campaigns/start/${campaignId}`)
  await page.getByText(/^A second person has not approved this yet\./).waitFor()
  const approval = (of: Page) => of.getByRole('region', { name: 'Approval' })
  await approval(page).getByRole('button', { name: 'Ask for approval' }).click()
  const second = await openConsole(browser, emma, {
    path: `/campaigns/start/${campaignId}`,
    username: 'ben',
    password: adminPassword,
  })
  await approval(second).getByRole('button', { name: 'Approve' }).click()
  // The call ends with its page.
  for (const shown of [second, page])
    await approval(shown)
      .getByText(/^Ben Week approved it on /)
      .waitFor()
  await second.context().close()
  await inspect(page, 'week-check')
  await sendNow()
  await page.getByText('Finished', { exact: true }).first().waitFor()
  await inspect(page, 'week-sent')
  const accepted = PEOPLE.Berlin.filter(email => !email.startsWith('reject-'))
  await expect.poll(() => receivedBy('A table for you')).toEqual(accepted.toSorted())
  await api.patch('/emma/client/1', { campaign_approval: false })
})

test('Wednesday: an A/B test is decided by a person; a transactional email of the API arrives', async () => {
  await visit(page, '/campaigns/edit/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wednesday test')
  await chooseContent('Berlin')
  await page
    .getByRole('textbox', { name: 'Subject', exact: true })
    .first()
    .fill(SUBJECTS[0] ?? '')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.waitForURL(/\/campaigns\/edit\/\d+$/)
  splitId = idInAddress()
  const section = page.getByRole('region', { name: 'A/B test' })
  await section.getByRole('switch', { name: 'Run an A/B test' }).press('Space')
  await section
    .getByRole('listitem', { name: 'Variant B' })
    .getByLabel('Subject')
    .fill(SUBJECTS[1] ?? '')
  await section.getByRole('slider').press('End')
  for (let step = 0; step < 10; step += 1) await section.getByRole('slider').press('ArrowLeft')
  await section.getByText('25% for each variant; 50% get the winner.').waitFor()
  await inspect(page, 'week-split')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(
    () => api.get(`/emma/campaign/${splitId}`),
    ({ split }) => split?.sample_percent === 50,
  )
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  await visit(page, `/campaigns/start/${splitId}`)
  await sendNow()
  await page.getByText(/The test sample has been sent\./).waitFor()
  await page.getByRole('link', { name: 'To the result' }).click()
  await page.getByRole('button', { name: 'Send variant B' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send variant B' }).click()
  await page.getByText(/ chose variant B on/).waitFor()
  await finished(splitId)
  await inspect(page, 'week-split-report')
  const [first, second] = SUBJECTS.map(subject => receivedBy(subject))
  const all = [...(first ?? []), ...(second ?? [])]
  expect(new Set(all).size).toBe(all.length)
  expect(second?.length).toBeGreaterThan(first?.length ?? 0)

  const { message_id } = await api.post('/emma/message/', {
    client_id: 1,
    name: 'Receipt',
    subject: 'Receipt {{ data.number }}',
    body_long: '<p>Thank you for order {{ data.number }}.</p>',
  })
  const { domain_id, mailclass_id } = await api.get('/emma/campaign/1')
  const transactional = await api.post('/transactionalcampaign/', {
    client_id: 1,
    name: 'Receipt',
    message_id,
    domain_id,
    mailclass_id,
    fromadr: `orders@${sender}`,
    active: true,
    data_fields: [{ name: 'number', type: 'text' }],
  })
  await api.post(`/transactionalcampaign/${transactional.id}/send`, {
    email: 'ok-buyer@gmail.test',
    data: { number: 'W-3' },
  })
  await expect.poll(() => received('ok-buyer@').map(({ subject }) => subject)).toEqual(['Receipt W-3'])
})

test('Thursday: a recurring campaign is run now; a bounce, a complaint and an unsubscription are shown', async () => {
  await visit(page, '/recurring/edit/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour news')
  await chooseContent('Hamburg')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/recurring\/edit\/\d+/)
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Sent by hand').waitFor()
  await inspect(page, 'week-runs')
  const { data: runs } = await api.get(`/recurring/${idInAddress()}/runs/`)
  expect(runs).toHaveLength(1)
  runId = runs[0].campagne_id
  await finished(runId)

  await shows('bounce-harbour@gmx.test', 'Hard bounce')
  await shows('complain-harbour@gmail.test', 'Complaint')
  await inspect(page, 'week-complaint')
  const guest = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await guest.goto(unsubscribeLink('ok-harbour@gmail.test'))
  await guest
    .getByRole('button', { name: /unsubscribe/i })
    .first()
    .click()
  await until(
    async () => (await members()).find(({ email }) => email === 'ok-harbour@gmail.test')?.dateunjoin,
    date => date !== null,
  )
  await guest.context().close()
  await shows('ok-harbour@gmail.test', 'Unsubscribed')
})

test('Friday: dashboard, reports and datasource have the figures of the mails received', async () => {
  await visit(page, '/dashboard')
  // Some mailboxes of earlier campaigns are tried again meanwhile: both are read until they agree. The receipt of
  // Wednesday belongs to no campaign.
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByText('Active subscribers').waitFor()
        return (await sentThisMonth()) - (await sentByReports())
      },
      { interval: 1_000 },
    )
    .toBe(1)
  await visit(page, `/campaigns/reports/${campaignId}`)
  const funnel = page.getByRole('list', { name: 'What happened' })
  const delivered = receivedBy('A table for you').filter(email => PEOPLE.Berlin.includes(email)).length
  await expect
    .poll(() => funnel.getByRole('button').allInnerTexts())
    .toEqual([
      expect.stringMatching(new RegExp(`^Recipients\\s+${PEOPLE.Berlin.length}\\s`)),
      expect.stringMatching(new RegExp(`^Sent\\s+${PEOPLE.Berlin.length}\\s`)),
      expect.stringMatching(new RegExp(`^Delivered\\s+${delivered}\\s`)),
      expect.stringMatching(/^Opened\s/),
      expect.stringMatching(/^Clicked\s/),
    ])
  await inspect(page, 'week-report')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export recipients' }).click()
  const rows = (await text(await (await saved).createReadStream())).trim().split(/\r?\n/)
  expect(rows).toHaveLength(1 + PEOPLE.Berlin.length)
})

/** Chooses template, segment and sender in the form of a campaign. */
async function chooseContent(segment: string): Promise<void> {
  await choose(page, 'Template', 'Dinner invitation')
  await choose(page, 'Segment', `Tasters in ${segment}`)
  await choose(page, 'Sending domain', sender)
  await page.getByRole('textbox', { name: 'Sender address' }).fill(`hello@${sender}`)
  await choose(page, 'Mail class', 'Newsletter')
}

async function addSegment(city: string): Promise<void> {
  await visit(page, '/subscribers/segments/edit/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Tasters in ${city}`)
  await choose(page, 'Datasource', 'Tasters')
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  await rules.getByRole('button', { name: 'Add rule' }).click()
  await rules.locator('select[data-part=field]').selectOption('city')
  await rules.getByRole('textbox', { name: 'Value' }).fill(city)
  await inspect(page, 'week-segment')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/segments\/edit\/\d+/)
}

/** Accepts the warnings of the check and starts the campaign. */
async function sendNow(): Promise<void> {
  await page.getByText('Ready to send').waitFor()
  for (const warning of await page.getByRole('checkbox').all()) await warning.check()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
}

async function finished(id: number): Promise<void> {
  await until(
    () => api.get(`/emma/campaign/${id}`),
    ({ valid }) => valid === 3,
  )
}

/** Waits until the list of subscribers shows this state of a member. */
async function shows(email: string, state: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(`${emma.url}/subscribers/archive?table=${tableId}`)
        const row = page.getByRole('row').filter({ hasText: email })
        await row.waitFor()
        return row.innerText()
      },
      { interval: 1_000 },
    )
    .toContain(state)
}

async function members(): Promise<Json[]> {
  const path = `/v2/emma/client/1/membertable/${tableId}/member/?include_unsubscribed=true&limit=1000`
  return (await api.get(path)).data
}

/** Sum over the reports of all campaigns of the client. */
async function sentByReports(): Promise<number> {
  const { data } = await api.get('/emma/campaign/?limit=100')
  const reports = (data as Json[]).map(({ campagne_id }) => api.get(`/emma/report/${campagne_id}`))
  return (await Promise.all(reports)).reduce((sum, { nb_send }) => sum + nb_send, 0)
}

/** The figure on the dashboard. */
async function sentThisMonth(): Promise<number> {
  const figure = page.getByText('Sent this month', { exact: true }).locator('..')
  return Number((await figure.innerText()).replaceAll(/\D/g, ''))
}

function idInAddress(): number {
  return Number(/edit\/(\d+)/.exec(page.url())?.[1])
}

/** Messages in the mailboxes of the testbed that match. */
function received(search: string) {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const { rows } = mailboxes.listMessages({ search, limit: 1_000 })
  mailboxes.close()
  return rows
}

/** Recipients of a subject, sorted; tests have another subject. */
function receivedBy(subject: string): string[] {
  return received(subject)
    .filter(row => row.subject.startsWith(subject))
    .map(({ recipient }) => recipient)
    .toSorted()
}

function unsubscribeLink(email: string): string {
  const [row] = received(email)
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const source = mailboxes.getSource(row?.id ?? 0)?.toString() ?? ''
  mailboxes.close()
  return /List-Unsubscribe:\s*<(http[^>]+)>/i.exec(source.replaceAll(/\r\n[ \t]+/g, ''))?.[1] ?? ''
}
