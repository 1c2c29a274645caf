import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { choose, inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'
import { visit } from '../visit.ts'

let emma: RunningEmma
let browser: Browser
let page: Page
let api: ApiSession

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES, settings: { EMMA_RELAYS: '127.0.0.1' } })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R055 R056 R057 R058 R059 logins, senders and replacements of a service are created on their screens', async () => {
  await visit(page, '/external-esps/settings/brevo')
  await page.getByText('No login at Brevo yet').waitFor()
  await inspect(page, 'esp-logins-empty')
  await page.getByRole('link', { name: 'New login' }).first().click()
  await page.getByLabel('Name').fill('Brevo main')
  await page.getByLabel('Password or API key', { exact: true }).fill('xkeysib-secret')
  await inspect(page, 'esp-login')
  await save()
  await page.getByRole('link', { name: 'Brevo main' }).waitFor()
  await page.getByRole('link', { name: 'Amazon SES' }).click()
  await page.getByText('No login at Amazon SES yet').waitFor()
  const [login] = (await api.get('/emma/brevo/login/')).data
  expect(login).toMatchObject({ name: 'Brevo main', esp: 'brevo', secret: null, secret_set: true })

  await visit(page, '/external-esps/senders/brevo/edit/new')
  await choose(page, 'Login', 'Brevo main')
  await page.getByRole('textbox', { name: 'Sender address' }).fill('news@example.com')
  await page.getByRole('switch', { name: 'Verified' }).check({ force: true })
  await inspect(page, 'esp-sender')
  await save()
  await page.getByRole('link', { name: 'news@example.com' }).waitFor()
  await inspect(page, 'esp-senders')

  await visit(page, '/external-esps/replacers/brevo/edit/new')
  await page.getByLabel('Our token').fill('[unsubscribe]')
  await page.getByLabel('Token of the service').fill('{{ unsubscribe }}')
  await inspect(page, 'esp-replacer')
  await save()
  await page.getByRole('link', { name: '[unsubscribe]' }).waitFor()
  expect((await api.get('/emma/brevo/replacer/')).data).toMatchObject([{ replace: '{{ unsubscribe }}' }])

  await visit(page, '/external-esps/settings/nobody')
  await page.getByRole('heading', { name: /not found|does not exist/i }).waitFor()
})

test('R216 limits of a mailbox provider apply to all clients', async () => {
  await visit(page, '/system/providers')
  await page.getByRole('link', { name: 'Gmail' }).click()
  await page.getByLabel('Emails per hour').fill('5000')
  await page.getByLabel('Concurrent connections').fill('4')
  await inspect(page, 'provider')
  await save()
  await expect
    .poll(() => api.get('/emma/provider/5'))
    .toMatchObject({ max_per_hour: 5000, max_connections: 4 })
  await visit(page, '/system/providers')
  await page.getByText('5,000').waitFor()
  await inspect(page, 'providers')
})

test('R074 R208 a mail class has relay headers, source addresses and limits, and shows its warm-up progress', async () => {
  const made = await api.post('/emma/mailclass/', {
    name: 'warm_ip',
    transport: 'smtp',
    smtp_host: '127.0.0.1',
    // The date in the client's time zone, which is ahead of the machine's.
    warmup_start: new Date(Date.now() - 48 * 3_600_000).toLocaleDateString('sv', {
      timeZone: 'Europe/Berlin',
    }),
    warmup_volumes: [50, 100, 200, 400, 800],
  })
  await visit(page, `/settings/mailclasses/edit/${made.mailclass_id}`)
  await page.getByText(/^Day [34] of 5\.$/).waitFor()
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.getByLabel('Header 1').fill('X-Virtual-MTA')
  await page.getByLabel('Value 1').fill('pool-{client}')
  await page.getByRole('button', { name: 'Add address' }).click()
  await page.getByLabel('Address 1').fill('127.0.0.1')
  await page.getByLabel('Host name 1').fill('mta1.example.com')
  await page.getByRole('button', { name: 'Add mailbox provider' }).click()
  await choose(page, 'Mailbox provider 1', 'GMX')
  await page.getByLabel('Emails 1').fill('600')
  await page.getByLabel('per, mailbox provider 1').selectOption('minute')
  await inspect(page, 'mailclass-limits')
  await save()
  await expect
    .poll(() => api.get(`/emma/mailclass/${made.mailclass_id}`))
    .toMatchObject({
      mta_headers: [{ name: 'X-Virtual-MTA', value: 'pool-{client}' }],
      source_ips: [{ address: '127.0.0.1', helo: 'mta1.example.com' }],
      provider_limits: [{ provider_id: 1, mails: 600, unit: 'minute', connections: 0 }],
    })
  await page.getByRole('button', { name: 'Remove 1 of Headers for the relay' }).click()
  await page.getByLabel('Address 1').fill('nowhere')
  await save()
  await page
    .getByText(/IP address/)
    .first()
    .waitFor()
})

test('R248 R179 a campaign says how long it takes with a mail class, in the form and in the check', async () => {
  const [list] = (await api.get('/emma/list/?limit=1')).data
  const [domain] = (await api.get('/emma/domain/?limit=1')).data
  const { estimated_volume: volume } = await api.post('/emma/list:count', { list_id: list.list_id })
  // All of them in an hour.
  const slow = await api.post('/emma/mailclass/', { name: 'slow_lane', throttle: volume })
  const { mailclass_id } = slow
  const usable = await api.get(`/v2/emma/client/${slow.client_id}/mailclass:bulk`)
  expect(usable.data).toContainEqual(
    expect.objectContaining({ mailclass_id, per_hour: volume, capacity: volume }),
  )
  const { campagne_id: id } = await api.post('/emma/campaign/', {
    name: 'Slow lane',
    list_id: list.list_id,
    domain_id: domain.domain_id,
    mailclass_id,
  })
  await visit(page, `/campaigns/edit/${id}`)
  const panel = page.getByRole('region', { name: 'Sending time' })
  await panel.getByText(`Limit: ${volume.toLocaleString('en')} per hour, mail class slow_lane`).waitFor()
  await panel.getByText('About 1 h').waitFor()
  await page.getByRole('region', { name: 'Time', exact: true }).getByText('Delivery options').click()
  await page.getByRole('textbox', { name: 'Speed' }).fill('2')
  await panel.getByText('Limit: 2 per hour, speed of the campaign').waitFor()
  await inspect(page, 'campaign-sending-time')
  await page.getByRole('button', { name: 'Review and send', exact: true }).click()
  await page.waitForURL(/campaigns\/start/)
  await panel.getByText('Limit: 2 per hour, speed of the campaign').waitFor()
  await inspect(page, 'check-sending-time')
})

test('R072 R207 a domain has its own warm-up curve', async () => {
  const [domain] = (await api.get('/emma/domain/?limit=1')).data
  await api.patch(`/emma/domain/${domain.domain_id}`, {
    warmup_start: new Date(Date.now() + 72 * 3_600_000).toISOString().slice(0, 10),
    warmup_volumes: [100, 200],
  })
  await visit(page, `/settings/domains/edit/${domain.domain_id}`)
  await page.getByText(/^Begins on /).waitFor()
  await page.getByRole('textbox', { name: 'Emails per day' }).fill('100, 200, 400')
  await inspect(page, 'domain-warmup')
  await save()
  await expect
    .poll(async () => (await api.get(`/emma/domain/${domain.domain_id}`)).warmup_volumes)
    .toEqual([100, 200, 400])
})

test('R217 a client has quiet hours', async () => {
  const [client] = (await api.get('/emma/client/?search=Northwind')).data
  await visit(page, '/system/clients')
  await page.getByRole('row').filter({ hasText: client.name }).getByText(client.name).first().click()
  await page.getByLabel('Quiet from').fill('22:00')
  await inspect(page, 'client-quiet-hours')
  await save()
  await page
    .getByText(/Please enter both/)
    .first()
    .waitFor()
  await page.getByLabel('Quiet to').fill('07:00')
  await save()
  await expect
    .poll(async () => (await api.get(`/emma/client/${client.client_id}`)).quiet_from)
    .toMatch(/^22:00/)
})

test('R119 R257 a reply rule lists its actions beside its form', async () => {
  const [rule] = (await api.get('/v2/scd-rule/?limit=1')).data
  await visit(page, `/system/scd-rules/edit/${rule.id}`)
  await page.getByText('No rule has done anything yet.').waitFor()
  await inspect(page, 'scd-rule')
})

test('R221 a campaign selects its sending service', async () => {
  const [campaign] = (await api.get('/emma/campaign/?limit=1&status=0')).data
  const id = campaign?.campagne_id ?? (await api.post('/emma/campaign/', { name: 'Over Brevo' })).campagne_id
  await visit(page, `/campaigns/edit/${id}`)
  await page.getByRole('region', { name: 'Sender' }).getByText('Reply address and sending service').click()
  await choose(page, 'Sending service', 'Brevo main')
  await save()
  await expect.poll(async () => (await api.get(`/emma/campaign/${id}`)).esp_id).toBeGreaterThan(0)
})

function save(): Promise<void> {
  return page.getByRole('button', { name: 'Save' }).click()
}
