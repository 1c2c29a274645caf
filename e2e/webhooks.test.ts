import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi, until } from './api-session.ts'
import { inspect } from './inspect.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import type { RunningEmma } from './launch-emma.ts'
import { startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

let emma: RunningEmma
let browser: Browser
let page: Page
let api: ApiSession
let receiver: Server
let address: string
let secret = ''
const received: Received[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.end('thanks')
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const listening = receiver.address()
  address = `http://127.0.0.1:${typeof listening === 'object' ? listening?.port : 0}/hook`
  emma = await startEmma({ settings: { EMMA_WEBHOOK_LOOPBACK: 'true' } })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
  receiver?.close()
})

test('the empty list explains webhooks and links to the form', async () => {
  await visit(page, '/settings/webhooks')
  await page.getByText('No webhooks yet').waitFor()
  await inspect(page, 'webhooks-empty')
  await page.getByRole('link', { name: 'New webhook' }).first().click()
  await page.getByRole('heading', { name: 'New webhook' }).waitFor()
  expect(page.url()).toContain('/settings/webhooks/edit/new')
})

test('a private address shows a field error', async () => {
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await page.getByRole('checkbox', { name: 'Subscribers' }).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page
    .getByText(/private network/)
    .first()
    .waitFor()
  await inspect(page, 'webhook-refused')
  expect((await api.get('/emma/webhook/')).data).toEqual([])
})

test('a webhook shows its secret once, and a test call is signed', async () => {
  await page.getByLabel('Address').fill(address)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  secret = await page.getByTestId('secret').innerText()
  expect(secret).toMatch(/^whsec_/)
  await inspect(page, 'webhook-secret')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.waitForURL('**/settings/webhooks/edit/*')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(/The receiver took the test/).waitFor()
  expect(verify(callsAbout('webhook.test')[0], secret)).toMatchObject({ data: [{ type: 'webhook.test' }] })
  await inspect(page, 'webhook-settings')
})

test('events arrive within seconds, and their calls are in the log', async () => {
  const tables = await api.get('/emma/membertable/')
  const { client_id, member_table_id } = tables.data[0]
  await api.post(`/v2/emma/client/${client_id}/membertable/${member_table_id}/member/`, {
    email: 'hooked@example.test',
  })
  await until(
    async () => callsAbout('hooked@example.test').length,
    count => count === 1,
  )
  expect(verify(callsAbout('hooked@example.test')[0], secret)).toMatchObject({
    client_id,
    data: [{ type: 'member.subscribed', data: { email: 'hooked@example.test', member_table_id } }],
  })
  await page.getByRole('tab', { name: 'Log' }).click()
  const row = page.getByRole('row', { name: /member\.subscribed/ })
  await row.getByText('Arrived').waitFor()
  await inspect(page, 'webhook-log')
  await row.getByText('member.subscribed').click()
  await page.getByRole('dialog').getByText('thanks').waitFor()
  await page.getByRole('dialog').getByText('hooked@example.test').waitFor()
  await inspect(page, 'webhook-call')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('calls of a period are repeated with their ids', async () => {
  await page.getByRole('button', { name: 'Send several again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Those that arrived, too').check()
  await inspect(page, 'webhook-replay')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(/(is|are) sent again\./).waitFor()
  await until(
    async () => callsAbout('hooked@example.test').length,
    count => count === 2,
  )
  const [first, second] = callsAbout('hooked@example.test')
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})

test('after a rotation both secrets are valid', async () => {
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  const rotated = await page.getByTestId('secret').innerText()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByText(/old and the new secret until/).waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await until(
    async () => callsAbout('webhook.test').length,
    count => count === 2,
  )
  const latest = callsAbout('webhook.test')[1]
  expect(verify(latest, secret)).toBeTruthy()
  expect(verify(latest, rotated)).toBeTruthy()
})

test('the list shows the state, also on a phone and in dark mode', async () => {
  await page.goto(`${emma.url}/settings/webhooks`)
  await page.getByText('Active', { exact: true }).first().waitFor()
  await inspect(page, 'webhooks-list')
  await page.setViewportSize({ width: 360, height: 740 })
  await inspect(page, 'webhooks-list-phone')
  await page.getByText(address).first().click()
  await page.getByRole('button', { name: 'Send a test' }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, 'webhook-phone-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the API reference sends a call with the console’s session', async () => {
  await visit(page, '/dashboard')
  await page.getByRole('button', { name: /Account of/ }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('menuitem', { name: 'API documentation' }).click()
  const docs = await opened
  const refused: string[] = []
  docs.on('console', message => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await docs.getByText('EMMA', { exact: false }).first().waitFor()
  await docs.getByRole('link', { name: 'deliverability' }).click()
  await docs.locator('#operations-deliverability-listMailclass').getByRole('button').first().click()
  const operation = docs.locator('#operations-deliverability-listMailclass')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table')
  await answer.getByText('200').first().waitFor()
  await expect.poll(() => answer.innerText()).toContain('"mailclass_id"')
  if (process.env.EMMA_SCREENSHOTS) {
    await docs.setViewportSize({ width: 1440, height: 900 })
    await docs.screenshot({ path: `${process.env.EMMA_SCREENSHOTS}/docs.png` })
    await docs.emulateMedia({ colorScheme: 'dark' })
    await docs.reload()
    await docs.getByRole('link', { name: 'deliverability' }).waitFor()
    await docs.screenshot({ path: `${process.env.EMMA_SCREENSHOTS}/docs-dark.png` })
  }
  expect(refused).toEqual([])
})

function callsAbout(text: string): Received[] {
  return received.filter(({ body }) => body.includes(text))
}

/** Verifies a call with the reference library of Standard Webhooks. */
function verify(call: Received | undefined, by: string): unknown {
  if (!call) throw new Error('There is no such call')
  const given = (name: string) => String(call.headers[name])
  return new Webhook(by).verify(call.body, {
    'webhook-id': given('webhook-id'),
    'webhook-timestamp': given('webhook-timestamp'),
    'webhook-signature': given('webhook-signature'),
  })
}
