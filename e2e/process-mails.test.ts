import { join } from 'node:path'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspect } from './inspect.ts'
import type { RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { allowFaults } from './page-faults.ts'
import { startEmma } from './start-emma.ts'

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
  await page.goto(`${emma.url}/settings/pmtemplates`)
  await page.getByRole('link', { name: 'Unsubscribe page, English: Shipped text' }).click()
  await page.frameLocator('iframe').first().getByText('You are unsubscribed').first().waitFor()
  const source = page.getByRole('textbox', { name: 'HTML', exact: true })
  await source.click()
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
