import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApi, until } from './api-session.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { findViolations } from './find-violations.ts'
import type { RunningEmma } from './launch-emma.ts'
import { submitLogin } from './log-in.ts'
import { settled } from './settled.ts'
import { SENDING_ROLES, startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

let emma: RunningEmma
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: `${SENDING_ROLES},jobs` })
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('a wrong password shows an error and keeps the user name', async () => {
  const other = await browser.newPage()
  await other.goto(`${emma.url}/login`)
  await submitLogin(other, 'admin', 'not the password')
  await other
    .getByText(/wrong user|wrong password|wrong/i)
    .first()
    .waitFor()
  expect(await other.getByLabel('User name').inputValue()).toBe('admin')
  await other.close()
})

test('the dashboard shows figures and the sent campaign', async () => {
  await page.getByText('Active subscribers').waitFor()
  await page.getByRole('link', { name: 'Autumn roast' }).first().waitFor()
  expect(await violations()).toEqual([])
})

test('a mail class is created, listed, changed and deleted', async () => {
  await visit(page, '/settings/mailclasses')
  await page.getByRole('link', { name: 'New mail class' }).click()
  await page.getByRole('button', { name: 'Save' }).waitFor()
  await page.getByLabel('Name', { exact: false }).first().fill('Slow_lane')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/settings/mailclasses*')
  await page.getByText('Slow_lane', { exact: true }).first().click()
  await page.waitForURL('**/settings/mailclasses/edit/*')
  await page.getByRole('button', { name: 'Save' }).waitFor()
  await page.getByLabel('Name', { exact: false }).first().fill('Slower_lane')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Slower_lane').first().waitFor()
  await visit(page, '/settings/mailclasses')
  await page.getByText('Slower_lane', { exact: true }).first().waitFor()
  expect(await violations()).toEqual([])
})

test('a campaign is copied, checked and started, and its report updates', async () => {
  const url = await copyCampaign()
  await page.goto(url)
  await page.getByText('The sender address belongs to a verified domain').waitFor()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await page
    .getByText(/Running|Preparing|Finished/)
    .first()
    .waitFor()
  const id = Number(/\/(\d+)$/.exec(url)?.[1])
  await visit(page, `/campaigns/reports/${id}`)
  await page.getByText('What happened').waitFor()
  await page.getByText('Delivered').first().waitFor()
  expect(await violations()).toEqual([])
})

test('campaign test: an invalid address is marked and named, the others are kept, and the test step stays done', async () => {
  const api = await openApi(emma)
  const { campagne_id: id } = await api.post('/emma/campaign/1/copy')
  await visit(page, `/campaigns/test/${id}`)
  const addresses = page.getByRole('combobox', { name: 'Addresses' })
  await addresses.fill('ok-ann@gmail.test')
  await page.keyboard.press('Enter')
  await addresses.fill('not an address')
  await page.keyboard.press('Tab')
  await page.locator('[data-invalid]', { hasText: 'not an address' }).waitFor()
  await page.getByText('“not an address” is not an email address. Correct or remove it.').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  expect(await api.get(`/emma/campaign/${id}`)).toMatchObject({ tested_at: null })
  await page.locator('[data-invalid] button').click()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('ok-ann@gmail.test').nth(1).waitFor()
  await visit(page, `/campaigns/start/${id}`)
  const steps = page.getByRole('navigation', { name: 'Campaign steps' })
  await steps.getByRole('button', { name: /^Test.*Done/i }).waitFor()
})

test('R020 the template of a campaign is selected by its thumbnail', async () => {
  await visit(page, '/campaigns/edit/new')
  await page.getByRole('combobox', { name: 'Template' }).click()
  const picture = page.getByRole('option', { name: 'Welcome' }).locator('img')
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(680)
  await picture.hover()
  await page.locator('img[src^="data:image/svg"]').nth(1).waitFor()
})

test('the testbed shows the received message with its authentication result', async () => {
  await visit(page, '/system/testbed')
  await page.getByText('the autumn roast is here').first().click()
  await page.getByRole('tab', { name: 'Sender check' }).first().click()
  // Above a certain rate only a sample is checked; the others say so.
  const verdict = page.getByText(/DKIM|not (?:been )?(?:checked|sampled)/i).first()
  await verdict.waitFor()
  expect(await verdict.isVisible()).toBe(true)
})

test('R281 an upload shows the numbers of complete and incomplete rows', async () => {
  const api = await openApi(emma)
  const rows = [
    'email;firstname',
    'ok-a@gmail.test;Ána',
    'ok-b@gmail.test',
    'ok-c@gmail.test;Zoë',
    'ok-d@gmail.test',
  ]
  const { id } = await api.upload(
    '/v2/dataupload/',
    { member_table_id: 1, mode: 'upsert' },
    new TextEncoder().encode(rows.join('\n')),
    'rows.csv',
  )
  await api.post(`/dataupload/${id}/start`)
  await until(
    () => api.get(`/dataupload/${id}`),
    upload => upload.status >= 3,
  )
  await visit(page, `/subscribers/dataupload/edit/${id}`)
  const figure = async (label: string) => page.getByText(label, { exact: true }).locator('..').innerText()
  await expect.poll(() => figure('Added')).toMatch(/^Added\s+2\b/)
  await expect.poll(() => figure('Incomplete')).toMatch(/^Incomplete\s+2\b/)
})

test('upload preview: shows the first rows under the mapping and follows its changes', async () => {
  const api = await openApi(emma)
  const rows = ['email;firstname;city', 'ada@gmail.test;Ada;London', 'no-address;Ben;Paris']
  const { id } = await api.upload(
    '/v2/dataupload/',
    { member_table_id: 1, mode: 'upsert' },
    new TextEncoder().encode(rows.join('\n')),
    'preview.csv',
  )
  await visit(page, `/subscribers/dataupload/edit/${id}`)
  const preview = page.getByRole('region', { name: 'Preview', exact: true })
  const row = (text: string) => preview.getByRole('row').filter({ hasText: text })
  await expect.poll(() => row('ada@gmail.test').innerText()).toMatch(/New[^]*Ada/)
  await expect.poll(() => row('no-address').innerText()).toContain('The email address has no @.')
  expect(await row('no-address').innerText()).toContain('Not imported')
  expect(await violations()).toEqual([])
  const answered = page.waitForResponse(answer => answer.url().endsWith(`/dataupload/${id}/preview`))
  await page.getByLabel(/^firstname: /).selectOption('')
  expect((await answered).status()).toBe(200)
  await expect.poll(() => row('ada@gmail.test').innerText()).not.toContain('Ada')
  await page.getByLabel(/^email: /).selectOption('')
  await preview.getByText('Complete the mapping').waitFor()
})

test('small tables: rows are cards on a phone, each cell beside its column header', async () => {
  const api = await openApi(emma)
  const { id } = await api.upload(
    '/v2/dataupload/',
    { member_table_id: 1, mode: 'upsert' },
    new TextEncoder().encode('email;firstname\nada@gmail.test;Ada'),
    'phone.csv',
  )
  await page.setViewportSize({ width: 400, height: 900 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await visit(page, `/subscribers/dataupload/edit/${id}`)
    const mapping = page.getByRole('group', { name: 'Column of the file' })
    const preview = page.getByRole('region', { name: 'Preview', exact: true })
    await preview.getByRole('cell', { name: 'Ada', exact: true }).waitFor()
    expect(await mapping.getByRole('columnheader').allTextContents()).toEqual([
      'Column of the file',
      'First values',
      'Maps to',
    ])
    expect(await mapping.getByRole('rowheader').count()).toBe(2)
    expect(await mapping.getByRole('cell').last().evaluate(labelOf)).toContain('Maps to')
    expect(await page.evaluate(outsideOfScreen)).toEqual([])
    expect(await violations()).toEqual([])

    await visit(page, '/usersettings?tab=security')
    const sessions = page.getByRole('group', { name: 'Sessions' })
    await sessions.getByText('This one').waitFor()
    expect(await page.evaluate(outsideOfScreen)).toEqual([])
    expect(await violations()).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1440, height: 900 })
})

/** Runs in the page. */
function labelOf(cell: Element): string {
  return getComputedStyle(cell, '::before').content
}

/** Runs in the page: cells and controls that extend beyond the viewport's sides. */
function outsideOfScreen(): string[] {
  return [...document.querySelectorAll('main :is(tbody th, tbody td, select, input, button)')]
    .filter(element => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (left < 0 || right > window.innerWidth)
    })
    .map(element => element.outerHTML.slice(0, 200))
}

test('import undo: shows what it will change and reverts the import', async () => {
  const api = await openApi(emma)
  const rows = ['email;firstname', 'undo-a@gmail.test;Ann', 'undo-b@gmail.test;Bob']
  const { id } = await api.upload(
    '/v2/dataupload/',
    { member_table_id: 1, mode: 'upsert' },
    new TextEncoder().encode(rows.join('\n')),
    'undo.csv',
  )
  const table = '/v2/emma/client/1/membertable/1/member/?search=undo-'
  await api.post(`/dataupload/${id}/start`)
  await until(
    () => api.get(`/dataupload/${id}`),
    upload => upload.status >= 3,
  )
  expect((await api.get(table)).pagination.total).toBe(2)
  await visit(page, `/subscribers/dataupload/edit/${id}`)
  await page.getByRole('button', { name: 'Undo import' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 subscribers will be removed.').waitFor()
  await dialog.getByText('0 subscribers get their former values back.').waitFor()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('This import was undone').waitFor()
  await page.getByText('2 subscribers were removed.').waitFor()
  expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0)
  expect(await violations()).toEqual([])
  expect((await api.get(table)).pagination.total).toBe(0)
})

test('text typed during a template’s save is kept and saved the next time', async () => {
  const api = await openApi(emma)
  const stored = async () => {
    const { body_mjml, body_long } = await api.get('/emma/message/2')
    return `${body_mjml ?? ''}${body_long ?? ''}`
  }
  await visit(page, '/templates/edit/2')
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.locator('.cm-content').first().click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.insertText('<!-- one -->')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/**', async route => {
    if (route.request().method() === 'PATCH') await held
    await route.fallback()
  })
  await Promise.all([
    page.waitForRequest(request => request.method() === 'PATCH'),
    page.keyboard.press('Control+s'),
  ])
  await page.keyboard.insertText('<!-- two -->')
  letGo()
  await expect.poll(stored).toContain('<!-- one -->')
  await page.getByRole('button', { name: 'Save', disabled: false }).click()
  await expect.poll(stored).toContain('<!-- one --><!-- two -->')
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  await page.unroute('**/api/**')
})

/** Copies the campaign by the API with the page's session: this test is about checking and starting it. */
async function copyCampaign(): Promise<string> {
  const id = await page.evaluate(async () => {
    const answer = await fetch('/api/emma/campaign/1/copy', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${localStorage.getItem('loginToken')}`,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    const copy: { campagne_id: number } = await answer.json()
    return copy.campagne_id
  })
  return `${emma.url}/campaigns/start/${id}`
}

/** WCAG violations of the current page, by axe. */
async function violations(): Promise<string[]> {
  await settled(page, { isLoading: true })
  const found = await findViolations(page)
  return found.map(each => `${each.id}: ${each.nodes[0]?.html.slice(0, 200)}`)
}
