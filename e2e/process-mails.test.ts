import { createServer } from 'node:http'
import { join } from 'node:path'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openApi, until } from './api-session.ts'
import { inspect } from './inspect.ts'
import type { RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { allowFaults } from './page-faults.ts'
import { startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

let emma: RunningEmma
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma()
  browser = await openBrowser()
  page = await openConsole(browser, emma, { path: '/settings/pmtemplates' })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R075 R076 R190 a client’s own unsubscribe page is shown to recipients, and runs nothing', async () => {
  await page.getByRole('link', { name: 'Unsubscribe page, English: Shipped text' }).waitFor()
  await inspectEverywhere('list')
  await page.getByRole('link', { name: 'Double opt-in request, German: Shipped text' }).click()
  await page.frameLocator('iframe').first().getByText('Bitte bestätigen Sie').first().waitFor()
  await inspectEverywhere('form')
  await visit(page, '/settings/pmtemplates')
  await page.getByRole('link', { name: 'Unsubscribe page, English: Shipped text' }).click()
  await page.frameLocator('iframe').first().getByText('You are unsubscribed').first().waitFor()
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.getByRole('textbox', { name: 'HTML', exact: true }).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.insertText(attack)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/edit\/\d+$/)

  // The browser reports what the policy stopped.
  allowFaults(/Content Security Policy|Blocked script execution|sandboxed|Refused to/i)
  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(unsubscribeLink())
  await reader.getByRole('button', { name: 'Unsubscribe' }).click()
  await reader.getByText('Own words').waitFor()
  expect(await reader.title()).not.toBe('ran')
  await picture(reader, 'page')
  await reader.getByRole('button', { name: 'Subscribe again' }).click()
  await reader.getByRole('heading', { name: 'Email preferences' }).waitFor()
  expect(new URL(reader.url()).hostname).toBe(new URL(unsubscribeLink()).hostname)
  await context.close()
})

test('R276 a sign-up by API is confirmed by a person alone, welcomed, and ended by preferences', async () => {
  const api = await openApi(emma)
  const clients = (await api.get('/emma/client/')).data
  const { client_id } = clients.find(({ is_demo }: { is_demo: boolean }) => !is_demo)
  await api.post(`/v2/emma/client/${client_id}/pmt/`, {
    name: 'Our welcome',
    process: 'welcome',
    lang: 'en',
    subject: 'Welcome, {{ member.email }}',
    body_long:
      '<p>{{ client.imprint }} <a href="{{ link.preferences }}">Preferences</a> <a href="{{ link.unsubscribe }}">Unsubscribe</a></p>',
    is_default: true,
  })
  const { member_table_id } = await api.post('/emma/membertable/', {
    client_id,
    name: 'Sign-ups',
    doi_required: true,
    doi_request_new: true,
    emmamembertableschema: [
      { column_name: 'events', label: 'Events', data_type: 'bool', topic: { en: 'Events' } },
    ],
  })
  const members = `/v2/emma/client/${client_id}/membertable/${member_table_id}/member/`
  const email = 'sign-up@gmail.test'
  const { member_id } = await api.post(members, { email })
  const stateOf = async () => (await api.get(`${members}${member_id}`)).doi_state
  const confirmation = await linkTo(email, /confirm your subscription/, /\/u\/[\w-]+\/confirm/)
  for (const method of ['GET', 'HEAD']) expect((await fetch(confirmation, { method })).status).toBe(200)
  expect(await stateOf()).toBe('pending')

  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(confirmation)
  await inspect(reader, 'process-mail-confirm')
  await reader.setViewportSize({ width: 360, height: 740 })
  await inspect(reader, 'process-mail-confirm-narrow')
  await reader.keyboard.press('Tab')
  await reader.keyboard.press('Enter')
  await reader.getByRole('heading', { name: 'Thank you' }).waitFor()
  expect(await stateOf()).toBe('confirmed')
  await reader.goto(confirmation)
  await reader.getByRole('heading', { name: 'Already confirmed' }).waitFor()

  const preferences = await linkTo(email, /^Welcome/, /\/u\/[\w-]+\/preferences/)
  await reader.goto(preferences)
  await inspect(reader, 'preferences-narrow')
  await reader.getByRole('checkbox', { name: 'Events' }).check()
  await reader.getByRole('button', { name: 'Save' }).click()
  await reader.getByRole('status').waitFor()
  await reader.getByRole('textbox', { name: 'New email address' }).fill('moved@gmail.test')
  await reader.getByRole('button', { name: 'Send confirmation' }).click()
  await reader.getByRole('heading', { name: 'Please check your inbox' }).waitFor()
  await reader.goto(await linkTo('moved@gmail.test', /confirm your request/, /\/u\/[\w-]+\/confirm/))
  await inspect(reader, 'preferences-new-address')
  expect(await api.get(`${members}${member_id}`)).toMatchObject({ email, events: true })
  await reader.getByRole('button', { name: 'Use this address' }).click()
  await reader.getByRole('heading', { name: 'Address changed' }).waitFor()
  expect(await api.get(`${members}${member_id}`)).toMatchObject({ email: 'moved@gmail.test' })

  await reader.goto(preferences)
  await reader.getByRole('checkbox', { name: 'Sign-ups' }).uncheck()
  await reader.getByRole('button', { name: 'Save' }).click()
  await reader.getByRole('status').waitFor()
  expect((await api.get(`${members}${member_id}`)).dateunjoin).not.toBeNull()
  const activity = await api.get(`${members}${member_id}/activity`)
  const types = activity.data.map(({ type }: { type: string }) => type)
  expect(types).toEqual(expect.arrayContaining(['doi_request', 'doi_confirmed', 'sent', 'unsubscribe']))
  const report = await api.get(`/v2/emma/client/${client_id}/doi-report`)
  expect(report.data).toMatchObject([{ requested: 1, sent: 1, confirmed: 1, expired: 0, rate: 1 }])
  await context.close()
})

test('R237 a form on a foreign website subscribes a person, who is welcomed and leaves by the preferences', async () => {
  const api = await openApi(emma)
  const { client_id, member_table_id, hash } = await createWebForm(api)
  const origin = `http://localhost:${emma.port + 1}`
  const website = await startWebsite(`${origin}/f/${hash}`)
  const context = await browser.newContext()
  try {
    // The answer 422 to faulty entries.
    allowFaults(/422/)
    const visitor = await context.newPage()
    await visitor.goto(`${website.url}?firstname=Ann`)
    const email = visitor.getByRole('textbox', { name: 'Email' })
    await email.fill('nobody')
    await inspect(visitor, 'web-form')
    await visitor.getByRole('button', { name: 'Subscribe' }).click()
    await visitor.getByText('Please enter a valid email address.').waitFor()
    await visitor.getByText('Please agree to this text.').waitFor()
    expect(await email.evaluate(input => input.matches(':focus'))).toBe(true)
    expect(await visitor.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Ann')
    await email.fill('website@gmail.test')
    await visitor.getByRole('radio', { name: 'At most one a month' }).check()
    await visitor.getByRole('checkbox', { name: 'I agree' }).check()
    await visitor.getByRole('button', { name: 'Subscribe' }).click()
    await visitor.getByRole('heading', { name: 'Thank you' }).waitFor()

    const members = `/v2/emma/client/${client_id}/membertable/${member_table_id}/member/`
    const memberOf = async (address: string) => (await api.get(`${members}?email[]=${address}`)).data[0]
    expect(await memberOf('website@gmail.test')).toMatchObject({
      firstname: 'Ann',
      source: 'Website form',
      doi_state: 'pending',
    })
    await visitor.goto(
      await linkTo('website@gmail.test', /confirm your subscription/, /\/u\/[\w-]+\/confirm/),
    )
    await visitor.getByRole('button').click()
    await visitor.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(await memberOf('website@gmail.test')).toMatchObject({ doi_state: 'confirmed' })

    await visitor.goto(
      await linkTo('website@gmail.test', /^Welcome of the form$/, /\/u\/[\w-]+\/preferences/),
    )
    expect(await visitor.getByRole('radio', { name: 'At most one a month' }).isChecked()).toBe(true)
    await visitor.getByRole('checkbox', { name: 'Website' }).uncheck()
    await visitor.getByRole('combobox', { name: 'Pause' }).selectOption('Pause for 2 weeks')
    await visitor.getByRole('button', { name: 'Save' }).click()
    await visitor.getByRole('status').waitFor()
    await visitor.getByText(/^Paused until /).waitFor({ state: 'attached' })
    expect((await memberOf('website@gmail.test')).dateunjoin).not.toBeNull()

    await visitor.goto(`${origin}/f/${hash}`)
    await inspect(visitor, 'web-form-page')
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const reader = await plain.newPage()
    await reader.goto(`${website.url}plain`)
    await reader.getByRole('textbox', { name: 'Email' }).fill('plain@gmail.test')
    await reader.getByRole('textbox', { name: 'First name' }).fill('Ben')
    await reader.getByRole('checkbox').check()
    await reader.getByRole('button', { name: 'Subscribe' }).click()
    const thanks = reader.getByRole('heading', { name: 'Thank you' })
    const again = reader.getByText('Please check your entries and send them once more.')
    // The website does not know when the form was shown: the form asks once more, and keeps the entries.
    await again.waitFor()
    await until(
      async () => {
        if (await thanks.isVisible()) return true
        if (await again.isVisible()) await reader.getByRole('checkbox').check()
        await reader.getByRole('button', { name: 'Subscribe' }).click()
        await thanks.or(again).waitFor()
        return thanks.isVisible()
      },
      isDone => isDone,
    )
    expect(await memberOf('plain@gmail.test')).toMatchObject({ firstname: 'Ben', doi_state: 'pending' })
    await plain.close()
  } finally {
    await context.close()
    await website.stop()
  }
})

test('R237 a pop-up on a foreign website opens when it should, has steps for keyboards, and redirects', async () => {
  const api = await openApi(emma)
  const { hash, webform_id } = await createWebForm(api, {
    type: 'popup',
    popup_trigger: 'scroll',
    popup_after: 60,
    thanks_url: 'https://shop.example/thanks',
    fields: [
      { column: 'email', required: true },
      { column: 'firstname', required: true, step: 2 },
    ],
  })
  const website = await startWebsite(`http://localhost:${emma.port + 1}/f/${hash}`)
  const context = await browser.newContext()
  await context.route('https://shop.example/**', route => route.fulfill({ body: 'Thanks of the shop' }))
  try {
    const visitor = await context.newPage()
    const dialog = visitor.getByRole('dialog', { name: 'Website form' })
    const reload = async () => {
      const loaded = visitor.waitForResponse(/\/data\?/)
      await visitor.goto(website.url)
      await loaded
    }
    await reload()
    await visitor.getByRole('link', { name: 'Shop' }).focus()
    expect(await dialog.isVisible()).toBe(false)
    await visitor.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await dialog.waitFor()
    expect(await visitor.evaluate(layoutShifts)).toEqual([])
    await inspect(visitor, 'web-form-popup')
    await visitor.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await visitor.evaluate('document.activeElement.textContent')).toBe('Shop')

    const closedBefore = (days: number) =>
      visitor.evaluate(`localStorage.setItem('emma-form-${hash}', Date.now() - ${days} * 86400000)`)
    await api.patch(`/webform/${webform_id}`, { popup_trigger: 'exit', popup_again: 7 })
    const leave = "document.dispatchEvent(new MouseEvent('mouseout', { clientY: -1 }))"
    await closedBefore(6)
    await reload()
    for (let n = 0; n < 10; n += 1) await visitor.evaluate(leave)
    expect(await dialog.isVisible()).toBe(false)
    await closedBefore(8)
    await reload()
    await until(
      async () => {
        await visitor.evaluate(leave)
        return dialog.isVisible()
      },
      isOpen => isOpen,
    )

    const { keyboard } = visitor
    await visitor.getByText('Step 1 of 2').waitFor()
    expect(await visitor.getByRole('textbox', { name: 'Email' }).evaluate(isFocused)).toBe(true)
    await keyboard.type('popup@gmail.test')
    await keyboard.press('Enter')
    await visitor.getByText('Step 2 of 2').waitFor()
    expect(await visitor.getByRole('textbox', { name: 'First name' }).evaluate(isFocused)).toBe(true)
    await keyboard.type('Cleo')
    for (let n = 0; n < 2; n += 1) await keyboard.press('Tab')
    await inspect(visitor, 'web-form-popup-step')
    await visitor.getByRole('checkbox', { name: 'I agree' }).focus()
    await keyboard.press('Space')
    await keyboard.press('Enter')
    await visitor.getByText('Thanks of the shop').waitFor()
    await until(
      () => findMail('popup@gmail.test', /confirm your subscription/),
      mail => mail !== null,
    )
    await visitor.goto(website.url)
    expect(await visitor.evaluate(`localStorage.getItem('emma-form-${hash}')`)).toBe('Infinity')
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const reader = await plain.newPage()
    await reader.goto(website.url)
    await reader.getByRole('link', { name: 'Website form' }).click()
    await reader.getByRole('textbox', { name: 'Email' }).waitFor()
    await plain.close()
  } finally {
    await context.close()
    await website.stop()
  }
})

/** Elements that have moved by themselves since the page was loaded. */
const layoutShifts = `new Promise(resolve => {
  const moved = []
  new PerformanceObserver(list =>
    moved.push(...list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node?.nodeName))),
  ).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)))
})`

const isFocused = (input: Element) => input.matches(':focus')

/** A form with a welcome mail of its own, and its datasource. */
async function createWebForm(api: Awaited<ReturnType<typeof openApi>>, more: object = {}) {
  const clients = (await api.get('/emma/client/')).data
  const { client_id } = clients.find(({ is_demo }: { is_demo: boolean }) => !is_demo)
  forms += 1
  const { member_table_id } = await api.post('/emma/membertable/', {
    client_id,
    name: `Website ${forms}`,
    emmamembertableschema: [{ column_name: 'firstname', label: 'First name', data_type: 'string' }],
  })
  const { domain_id } = await api.post('/emma/domain/', { client_id, name: `website-forms${forms}.test` })
  const { pmt_id } = await api.post(`/v2/emma/client/${client_id}/pmt/`, {
    name: 'Welcome of the form',
    process: 'welcome',
    lang: 'en',
    subject: 'Welcome of the form',
    body_long:
      '<p>{{ client.imprint }} <a href="{{ link.preferences }}">Preferences</a> <a href="{{ link.unsubscribe }}">Unsubscribe</a></p>',
  })
  const { hash, webform_id } = await api.post('/webform/', {
    client_id,
    name: 'Website form',
    member_table_id,
    domain_id,
    fields: [
      { column: 'email', required: true },
      { column: 'firstname', prefill: true },
    ],
    texts: { en: { title: 'Our newsletter' } },
    consent: { en: 'I agree to the [terms](https://shop.example/terms)' },
    frequency: true,
    pmt_ids: [pmt_id],
    ...more,
  })
  return { client_id, member_table_id, hash: String(hash), webform_id: Number(webform_id) }
}

let forms = 0

/** A website with styles and a policy of its own that embeds a form; its path `/plain` has the form as plain HTML. */
async function startWebsite(form: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { origin } = new URL(form)
  const data: Json = await (await fetch(`${form}/data`)).json()
  const lines = String(data['html']).replace('action="/', `action="${origin}/`).split('\n')
  const plain = lines.filter(line => !line.includes('name="_start"'))
  const embedded = `<script src="${form}.js"></script><noscript><a href="${form}">Website form</a></noscript>`
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader(
      'content-security-policy',
      `script-src ${origin}; connect-src ${origin}; style-src 'self'`,
    )
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><h1><a href="#top">Shop</a></h1>${url === '/plain' ? plain.join('\n') : embedded}${'<p>Text of the shop</p>'.repeat(60)}</html>`,
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** A link of the mail with the subject, once it has arrived at an address. */
async function linkTo(email: string, subject: RegExp, path: RegExp): Promise<string> {
  const found = await until(
    async () => findMail(email, subject),
    mail => mail !== null,
  )
  return `http://localhost:${emma.port + 1}${path.exec(found ?? '')?.[0] ?? ''}`
}

async function findMail(email: string, subject: RegExp): Promise<string | null> {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  try {
    const rows = mailboxes.listMessages({ mailbox: email, limit: 10 }).rows
    for (const { id } of rows) {
      const message = await mailboxes.getMessage(id)
      if (message && subject.test(message.subject)) return message.html
    }
    return null
  } finally {
    mailboxes.close()
  }
}

/** Markup that would run a script, leave the page, load from elsewhere, or send a form there. */
const attack = `<meta http-equiv="refresh" content="0;url=/evil"><script>document.title = 'ran'</script>
<img src="data:image/gif;base64,x" alt="" onerror="document.title = 'ran'"><p>Own words</p>`

async function inspectEverywhere(name: string): Promise<void> {
  await inspect(page, `process-mail-${name}`)
  await page.setViewportSize({ width: 360, height: 740 })
  await inspect(page, `process-mail-${name}-narrow`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, `process-mail-${name}-narrow-dark`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await inspect(page, `process-mail-${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

async function picture(reader: Page, name: string): Promise<void> {
  const folder = process.env.EMMA_SCREENSHOTS
  if (!folder) return
  await reader.screenshot({ path: join(folder, `process-mail-${name}.png`) })
  await reader.emulateMedia({ colorScheme: 'dark' })
  await reader.screenshot({ path: join(folder, `process-mail-${name}-dark.png`) })
}

/** The link of a mail of the first campaign. */
function unsubscribeLink(): string {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const [row] = mailboxes.listMessages({ limit: 1 }).rows
  const source = mailboxes.getSource(row?.id ?? 0)?.toString() ?? ''
  mailboxes.close()
  const link = /List-Unsubscribe:\s*<http:\/\/[^/]+([^>]+)>/i.exec(source.replaceAll(/\r\n[ \t]+/g, ''))
  // The mail was sent by the program whose data folder was copied.
  return `http://localhost:${emma.port + 1}${link?.[1] ?? ''}`
}
