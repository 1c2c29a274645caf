import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_CERTIFICATE } from '@emma/mail/test/certificate.ts'
import { type Dovecot, hasDovecot, startDovecot } from '@emma/testbed/test/dovecot.ts'
import { type MailHost, startMailHost } from '@emma/testbed/test/mail-host.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiSession, openApi, until } from './api-session.ts'
import { inspect } from './inspect.ts'
import type { RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { startEmma } from './start-emma.ts'

/** Test mailboxes of a real IMAP server: set up in the console, and found where a campaign's mail arrives. */

const PASSWORD = 'a password for imap'
const INBOX = 'seed@imap.test'
const SPAM = 'junk@imap.test'

describe.skipIf(!hasDovecot)('inbox placement', () => {
  let emma: RunningEmma
  let api: ApiSession
  let browser: Browser
  let page: Page
  let dovecot: Dovecot
  let host: MailHost
  let folder: string
  let campaignId: number

  beforeAll(async () => {
    dovecot = await startDovecot({ [INBOX]: PASSWORD, [SPAM]: PASSWORD })
    host = await startMailHost(dovecot, recipient => (recipient === SPAM ? 'Junk' : 'INBOX'))
    folder = mkdtempSync(join(tmpdir(), 'emma-placement-'))
    writeFileSync(join(folder, 'ca.pem'), TEST_CERTIFICATE.cert)
    emma = await startEmma({
      settings: {
        EMMA_RELAYS: `127.0.0.1:${host.port},localhost:${dovecot.ports.tls}`,
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      },
    })
    api = await openApi(emma)
    campaignId = await addCampaign()
    browser = await openBrowser()
    page = await openConsole(browser, emma, { path: '/settings/testmailboxes/edit/new' })
  })
  afterAll(async () => {
    await browser?.close()
    await emma?.stop()
    await host?.stop()
    await dovecot?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  /** A campaign whose mail class sends to the mail host. */
  async function addCampaign(): Promise<number> {
    const first = await api.get('/emma/campaign/1')
    const { mailclass_id } = await api.post('/emma/mailclass/', {
      client_id: first.client_id,
      name: 'over_relay',
      transport: 'smtp',
      smtp_host: '127.0.0.1',
      smtp_port: host.port,
      smtp_tls: 'none',
    })
    const copied = ['list_id', 'message_id', 'domain_id', 'fromadr', 'fromname']
    const made = await api.post('/emma/campaign/', {
      client_id: first.client_id,
      ...Object.fromEntries(copied.map(field => [field, first[field]])),
      name: 'Where does it arrive?',
      mailclass_id,
    })
    return made.campagne_id
  }

  test('R078 R212 R213 a mailbox is added with its server, and its connection tested', async () => {
    await page.getByRole('textbox', { name: 'Email address' }).fill(INBOX)
    await page.getByRole('button', { name: 'Add a mail server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'GMX' }).click()
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Server' }).inputValue()).toBe('imap.gmx.net')
    await dialog.getByRole('textbox', { name: 'Provider' }).fill('Own provider')
    await dialog.getByRole('textbox', { name: 'Server' }).fill('localhost')
    await dialog.getByRole('textbox', { name: 'Port' }).fill(String(dovecot.ports.tls))
    await inspect(page, 'mail-server')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: 'User name' }).fill(INBOX)
    const password = page.locator('input[type=password]')
    await password.fill('wrong')
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByText(/rejected the login/).waitFor()
    await password.fill(PASSWORD)
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByText(/The mailbox can be read/).waitFor()
    await page.getByText('INBOX, Junk, Promotions, Sent').waitFor()
    await inspect(page, 'test-mailbox')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/testmailboxes$/)
    await page.getByRole('link', { name: INBOX }).waitFor()
    await inspect(page, 'test-mailboxes')
  })

  test('R222 R223 R035 a check shows in which folder each mailbox has the email', async () => {
    const login = (await api.get('/emma/imap/login/?search=seed@imap')).data[0]
    await api.post('/emma/imap/login/', {
      client_id: login.client_id,
      email: SPAM,
      username: SPAM,
      password: PASSWORD,
      setting_id: login.setting_id,
    })
    // Those of the demo content are in the testbed, which this mail class does not reach.
    for (const { login_id } of (await api.get('/emma/imap/login/?search=-seed@')).data)
      await api.patch(`/emma/imap/login/${login_id}`, { active: false })
    await page.goto(`${emma.url}/campaigns/test/${campaignId}`)
    await page.getByRole('button', { name: 'Check 2 mailboxes' }).click()
    const row = (address: string) => page.getByRole('row').filter({ hasText: address })
    await row(INBOX).getByText('Inbox', { exact: true }).waitFor()
    await row(SPAM).getByText('Spam', { exact: true }).waitFor()
    await row(INBOX).getByText('Passed', { exact: true }).waitFor()
    await page.getByText(/^1 of 2 in the inbox, sent/).waitFor()
    await inspect(page, 'placement-result')
    await row(SPAM).getByRole('button', { name: SPAM }).click()
    await page.frameLocator('iframe').first().getByText('autumn roast').first().waitFor()
    await page.getByText('203.0.113.7', { exact: true }).waitFor()
    await inspect(page, 'placement-mail')
  })

  test('R181 R035 the figures are those of the results, and the monitor shows them', async () => {
    const { data } = await api.get(`/emma/ipci/result/?campagne_id=${campaignId}`)
    const counted = (place: string) =>
      data.filter((row: { placement: string }) => row.placement === place).length
    expect([data.length, counted('inbox'), counted('spam')]).toEqual([2, 1, 1])
    const view = await api.get('/v2/emma/client/1/ipci/result/dashboardview')
    expect(view.providers).toEqual([
      expect.objectContaining({ provider: 'Own provider', sent: 2, inbox: 1, spam: 1, missing: 0 }),
    ])
    await page.goto(`${emma.url}/campaigns/monitoring/${campaignId}`)
    await page.getByText(/^1 of 2 in the inbox, sent/).waitFor()
    await inspect(page, 'campaign-monitoring')
  })

  test('R029 the history shows tests and checks, also to somebody with a link', async () => {
    await page.goto(`${emma.url}/campaigns/test/${campaignId}`)
    await page.getByRole('button', { name: 'Share the history' }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await inspect(page, 'test-history-share')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Test history' }).click()
    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(link)
    for (const visible of [page, stranger]) {
      const row = (address: string) => visible.getByRole('row').filter({ hasText: address })
      await row(INBOX).getByText('Inbox', { exact: true }).waitFor()
      await row(SPAM).getByText('Spam', { exact: true }).waitFor()
    }
    await inspect(stranger, 'test-history')
    await stranger.goto(link.replace(/secret=.*/, 'secret=wrong'))
    await stranger.getByText('This link is not valid').waitFor()
    await stranger.context().close()
  })

  test('a mailbox whose server changes gets its password no more, and says so', async () => {
    const login = (await api.get('/emma/imap/login/?search=seed@imap')).data[0]
    await api.patch(`/emma/imap/setting/${login.setting_id}`, { tls: 'starttls' })
    const after = await until(
      () => api.get(`/emma/imap/login/${login.login_id}`),
      record => record.password_set === false,
    )
    expect(after.last_error).toMatchObject({ code: 'imap.password' })
    await page.goto(`${emma.url}/settings/testmailboxes`)
    await page.getByText('The password is missing. Please enter it again.').first().waitFor()
    await inspect(page, 'test-mailboxes-faulty')
  })
})
