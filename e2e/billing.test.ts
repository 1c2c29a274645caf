import { legalKinds } from '@emma/contract/legal-document.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from './api-session.ts'
import { adminPassword, type RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

/** Papers of a client: the documents that it confirms, what it has sent, and what it shows its customers. */

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let clientId: number
let admin: Page

beforeAll(async () => {
  emma = await startEmma({ roles: 'api,jobs' })
  api = await openApi(emma)
  browser = await openBrowser()
  clientId = (await api.get('/emma/campaign/1')).client_id
  const roles: Json[] = (await api.get('/role/')).data
  await api.post('/user/', {
    username: 'hanna',
    email: 'hanna@example.test',
    firstname: 'Hanna',
    lastname: 'Head',
    password: adminPassword,
    roles: [roles.find(({ name }) => name === 'Administrator')?.id],
    clients: [clientId],
  })
  for (const kind of legalKinds) {
    const texts = ['en', 'de', 'es'].flatMap(lang => [
      [`title_${lang}`, `${kind} of the agency`],
      [`html_${lang}`, `<p>Paragraph one of the ${kind}.</p>`],
    ])
    await api.post(`/v2/${kind}/`, {
      version: '2026-11',
      valid_from: '2026-01-01',
      published: true,
      ...Object.fromEntries(texts),
    })
  }
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R022 R023 R043 an administrator confirms the terms and the agreement, then gets where she wanted to go', async () => {
  admin = await openConsole(browser, emma, { username: 'hanna', path: '/campaigns/reports' })
  for (const kind of legalKinds) {
    await admin.waitForURL(`**/accept-${kind}`)
    await admin.getByText(`Paragraph one of the ${kind}.`).waitFor()
    await admin.getByRole('textbox', { name: 'Position' }).fill('Head of marketing')
    await admin.getByRole('checkbox').check()
    await admin.getByRole('button', { name: 'Confirm', exact: true }).click()
  }
  await admin.waitForURL('**/campaigns/reports')
  const { data } = await api.get(`/v2/emma/client/${clientId}/agb-confirm`)
  expect(data).toMatchObject([{ version: '2026-11', name: 'Hanna Head', role: 'Head of marketing' }])
  await visit(admin, '/billing/agb')
  await admin.getByText(/^Confirmed by Hanna Head \(Head of marketing\) on /).waitFor()
})

test('R045 the send volume of this month is what the reports say was sent', async () => {
  // Nothing is sent meanwhile: there is no engine.
  const reports = await api.get('/emma/report/')
  const sent = reports.data.reduce((sum: number, report: { nb_send: number }) => sum + report.nb_send, 0)
  expect(sent).toBeGreaterThan(1000)
  await until(
    async () => (await api.get(`/v2/emma/client/${clientId}/send-volume?limit=1`)).data[0].total,
    total => total === sent,
  )
  await visit(admin, '/billing/sendvolume')
  await admin.getByText(sent.toLocaleString('en-GB')).first().waitFor()
})

test('R026 R027 R039 reports are compared and shared with people who have no account', async () => {
  await visit(admin, '/campaigns/reports')
  for (const box of [1, 2]) await admin.getByRole('row').getByRole('checkbox').nth(box).check()
  await admin.getByRole('button', { name: 'Compare', exact: true }).click()
  await admin.getByRole('row', { name: /^All together/ }).waitFor()
  await admin.getByRole('button', { name: 'Save as report group' }).click()
  await admin.getByRole('textbox', { name: 'Name of the report group' }).fill('Autumn')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await admin.getByRole('heading', { name: 'Autumn' }).waitFor()
  await admin.getByRole('button', { name: 'Share' }).click()
  await admin.getByRole('checkbox', { name: 'Show complaints' }).uncheck()
  await admin.getByRole('button', { name: 'Make a link' }).click()
  const link = await admin.getByRole('textbox', { name: 'Link' }).inputValue()

  const visitor = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await visitor.goto(link)
  await visitor.getByRole('heading', { name: 'Autumn' }).waitFor()
  await visitor.getByRole('row', { name: /^All together/ }).waitFor()
  expect(await visitor.getByRole('columnheader', { name: 'Complaints' }).count()).toBe(0)
  expect(await visitor.getByRole('columnheader', { name: 'Opened' }).count()).toBe(1)
})
