import { join } from 'node:path'
import { createPool } from '@emma/mail/smtp/pool.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from '../api-session.ts'
import { choose, inspect } from '../inspect.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { pidOf } from '../pid-of.ts'
import { SENDING_ROLES, startEmma } from '../start-emma.ts'

/** A shop's order mails: set up in the console, sent by a program, found in the log. */

const ORDERS = 60

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page
let id: number
let key: string
let sender: string

beforeAll(async () => {
  emma = await startEmma({ roles: `${SENDING_ROLES},inbound` })
  api = await openApi(emma)
  await addTemplate()
  browser = await openBrowser()
  page = await openConsole(browser, emma, { path: '/transactionals/archive' })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

async function addTemplate(): Promise<void> {
  const clients = (await api.get('/emma/client/')).data
  const { client_id } = clients.find(({ is_demo }: { is_demo: boolean }) => !is_demo)
  const domains = (await api.get('/emma/domain/')).data
  sender = domains.find((row: Json) => row.client_id === client_id && row.status === 'verified').name
  await api.post('/emma/message/', {
    client_id,
    name: 'Order confirmation',
    subject: 'Your order {{ data.order_number }}',
    body_long: `<p>Thank you for your order.</p>
<ul>{% for item in data.items %}<li>{{ item.title }}</li>{% endfor %}</ul>
<p><a href="https://shop.example/orders/{{ data.order_number }}">See your order</a></p>`,
  })
}

test('R133 R134 a transactional email is set up in the console, and tried with its example', async () => {
  await page.getByText('No transactional emails yet').waitFor()
  await inspect(page, 'transactional-empty')
  await page.getByRole('link', { name: 'New transactional email' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Order confirmation')
  await choose(page, 'Template', 'Order confirmation')
  await choose(page, 'Sending domain', sender)
  await page.getByRole('textbox', { name: 'Sender address' }).fill(`orders@${sender}`)
  await page.getByRole('combobox', { name: 'Mail class' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Add field', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name of “field 1”' }).fill('order_number')
  await page.getByRole('button', { name: 'Add field', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name of “field 2”' }).fill('items')
  await page.getByRole('combobox', { name: 'Type of “items”' }).selectOption({ label: 'List' })
  await page.getByRole('button', { name: 'Add field to “items”' }).click()
  await page.getByRole('textbox', { name: 'Name of “items.field 1”' }).fill('title')
  await inspectEverywhere('form')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/transactionals\/edit\/\d+/)
  id = Number(/edit\/(\d+)/.exec(page.url())?.[1])
  await page.getByRole('tab', { name: 'API' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  key = await page.getByTestId('secret').innerText()
  expect(key).toMatch(/^emtx_[\w-]{43}$/)
  await inspect(page, 'transactional-key')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.frameLocator('iframe').first().getByText('Thank you for your order.').waitFor()
  await inspectEverywhere('api')
})

test('R234 calls are answered and sent once, whatever is killed meanwhile', async () => {
  const answered = new Map<number, number>()
  // A few at a time, so that some are open when the API is killed.
  const calls = Array.from({ length: 4 }, async (_, first) => {
    for (let n = first; n < ORDERS; n += 4) answered.set(n, await callUntilAnswered(n))
  })
  await until(
    async () => answered.size,
    count => count > 5,
  )
  process.kill(pidOf(emma, 'api'), 'SIGKILL')
  await Promise.all(calls)
  // For the console, in the next test.
  await until(
    () => openApi(emma).catch(() => null),
    session => session !== null,
  )
  expect(new Set(answered.values()).size).toBe(ORDERS)
  const received = () => receivedOrders()
  await until(received, orders => orders.length >= ORDERS)
  const orders = await received()
  expect(orders.toSorted()).toEqual(Array.from({ length: ORDERS }, (_, n) => `Your order N-${n}`).toSorted())
})

test('R235 the log finds an email with its content, and the report counts all of them', async () => {
  await page.getByRole('tab', { name: 'Log' }).click()
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /^Search/ }))
    .first()
    .fill('ok-order-7@')
  const row = page.getByRole('row').filter({ hasText: 'ok-order-7@' })
  await row.getByText('Sent', { exact: true }).waitFor()
  await inspectEverywhere('log')
  await row.getByText('ok-order-7@').click()
  await page.getByRole('dialog').frameLocator('iframe').getByText('Tea for order 7').waitFor()
  await inspect(page, 'transactional-mail')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Report' }).click()
  await page
    .getByRole('table')
    .getByRole('cell', { name: String(ORDERS) })
    .first()
    .waitFor()
  await inspectEverywhere('report')
  const { data } = await api.get(`/transactional-report/?transactional_id=${id}`)
  expect(data.reduce((sum: number, day: Json) => sum + Number(day.nb_send), 0)).toBe(ORDERS)
})

/** Calls like a program: again with the same idempotency key until there is an answer. */
async function callUntilAnswered(n: number): Promise<number> {
  const ask = async () => {
    try {
      const response = await fetch(`${emma.url}/api/transactionalcampaign/${id}/send`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': `order-${n}`,
        },
        body: JSON.stringify({
          email: `ok-order-${n}@gmail.test`,
          data: { order_number: `N-${n}`, items: [{ title: `Tea for order ${n}` }] },
        }),
      })
      return response.status === 202 ? ((await response.json()) as { message_id: number }) : null
    } catch {
      return null
    }
  }
  const answer = await until(ask, given => given !== null)
  return answer?.message_id ?? 0
}

test('R234 emails that a program submits over SMTP are sent once, whatever is killed meanwhile', async () => {
  await api.patch(`/transactionalcampaign/${id}`, { smtp_mode: 'free' })
  const { host, port } = await api.get('/transactional-submission')
  const pool = createPool({
    host,
    port,
    name: 'shop.example',
    tls: 'off',
    connections: 2,
    auth: { user: 'shop', password: key },
  })
  const submit = async (n: number) => {
    const mail = [
      `From: orders@${sender}`,
      `To: ok-smtp-${n}@gmail.test`,
      `Message-ID: <order-${n}@shop.example>`,
      `Subject: By SMTP ${n}`,
      '',
      `Order ${n}`,
    ].join('\r\n')
    const envelope = { from: `shop@${sender}`, to: `ok-smtp-${n}@gmail.test` }
    const attempt = () => pool.send(envelope, [Buffer.from(mail)])
    await until(attempt, ({ outcome }) => outcome === 'sent')
  }
  let accepted = 0
  const submitted = Array.from({ length: ORDERS }, (_, n) => submit(n).then(() => accepted++))
  await until(
    async () => accepted,
    count => count > 5,
  )
  process.kill(pidOf(emma, 'inbound'), 'SIGKILL')
  await Promise.all(submitted)
  await pool.close()
  const subjects = () => receivedBy('ok-smtp-')
  await until(subjects, rows => rows.length >= ORDERS)
  const expected = Array.from({ length: ORDERS }, (_, n) => `By SMTP ${n}`)
  expect((await subjects()).toSorted()).toEqual(expected.toSorted())
  await page.goto(`${emma.url}/transactionals/edit/${id}?tab=api`)
  await page.getByText('For programs that only speak SMTP').waitFor()
  await inspectEverywhere('api-smtp')
})

const receivedOrders = () => receivedBy('ok-order-')

async function receivedBy(prefix: string): Promise<string[]> {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  try {
    return mailboxes
      .listMessages({ limit: 1_000 })
      .rows.filter(row => row.recipient.startsWith(prefix))
      .map(row => row.subject)
  } finally {
    mailboxes.close()
  }
}

async function inspectEverywhere(name: string): Promise<void> {
  // What the header covers half is no target.
  await page.evaluate(() => scrollTo(0, 0))
  await inspect(page, `transactional-${name}`)
  await page.setViewportSize({ width: 360, height: 740 })
  await inspect(page, `transactional-${name}-narrow`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, `transactional-${name}-narrow-dark`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await inspect(page, `transactional-${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}
