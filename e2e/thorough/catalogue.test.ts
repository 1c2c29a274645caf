import { readFile } from 'node:fs/promises'
import { type Zippable, zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choose, inspect } from '../inspect.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { sendTest } from '../send-test.ts'
import { settled } from '../settled.ts'
import { SENDING_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: `${SENDING_ROLES},tracking` })
  browser = await openBrowser()
  page = await openConsole(browser, emma, { path: '/templates/catalog' })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

test('R128 a design is found, previewed, used, and received', async () => {
  const design = (name: RegExp) => page.getByRole('button', { name })
  await design(/^Monthly review/).waitFor()
  await inspectEverywhere('list')
  await page.getByRole('textbox', { name: 'Search designs' }).fill('table')
  await design(/^Monthly review/).waitFor({ state: 'detached' })
  await design(/^Conference programme/).waitFor()
  await page.getByRole('textbox', { name: 'Search designs' }).fill('')
  await page.getByText('Events', { exact: true }).click()
  await choose(page, 'Style', 'Warm')
  await design(/^Webinar invitation/).waitFor({ state: 'detached' })
  await design(/^Dinner invitation/).click()
  const preview = page.getByRole('dialog').frameLocator('iframe')
  await preview.getByText('The last table of the year').waitFor()
  await inspectEverywhere('preview')
  await page.getByRole('button', { name: 'Use this design' }).click()
  await page.waitForURL(/templates\/edit\/\d+$/)
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await inspect(page, 'catalogue-editor')
  const mail = await sendTest(emma, page, 'ok-guest@gmail.test', async addresses => {
    await addresses.fill('ok-guest@gmail.test')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send the test' }).click()
  })
  expect(mail.subject).toBe('[TEST] A table for you on 6 December')
  expect(mail.text).toContain('Celeriac from the embers')
  const image = /https?:\/\/[^"]+\/designs\/table\.png/.exec(mail.html ?? '')?.[0] ?? ''
  const served = await fetch(`http://localhost:${emma.port + 1}${new URL(image).pathname}`)
  expect(served.headers.get('content-type')).toBe('image/png')
  for (const name of ['nothing.png', '..%2fdesigns.ts', 'table.svg'])
    expect((await fetch(`http://localhost:${emma.port + 1}/designs/${name}`)).status).toBe(404)
})

test('R127, R249 a ZIP archive is imported with its images; bad sources are rejected in words', async () => {
  await page.goto(`${emma.url}/templates/edit/new`)
  const chooseFile = async (name: string, files: Zippable) => {
    // A screen that is rendered anew meanwhile would leave the chosen file in an input that is gone.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await settled(page)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import HTML, MJML or ZIP file' }).click()
    await (await chooser).setFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(zipSync(files)) })
  }
  await chooseFile('empty.zip', { 'readme.txt': Buffer.from('nothing') })
  await page.getByText('The ZIP archive has no HTML or MJML file.').waitFor()
  await page.getByRole('button', { name: 'Import web page' }).click()
  await page.getByRole('textbox', { name: 'Address of the page' }).fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText(/The address .* is private/).waitFor()
  await inspectEverywhere('page')
  await page.keyboard.press('Escape')
  const image = await readFile(new URL('../../apps/server/src/catalog/images/table.png', import.meta.url))
  const html =
    '<title>Market day</title><p>Pears <img src="table.png" alt="Table"><img src="gone.png" alt=""></p>'
  await chooseFile('mail.zip', { 'index.html': Buffer.from(html), 'table.png': image })
  await page.getByText('Line 1: the image “gone.png” is not in the ZIP archive.').waitFor()
  await page.getByText('1 image was added to the file manager.').waitFor()
  await inspectEverywhere('findings')
  await page.getByRole('button', { name: 'Open in the editor' }).click()
  await page.getByRole('textbox', { name: /^Subject/ }).waitFor()
  expect(await page.getByRole('textbox', { name: /^Subject/ }).inputValue()).toBe('Market day')
})

test('R127 a deleted template is found in the bin and restored', async () => {
  await page.goto(`${emma.url}/templates/archive`)
  const card = page.getByRole('link', { name: 'Dinner invitation', exact: true })
  await page.getByRole('button', { name: 'Actions for “Dinner invitation”' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await card.waitFor({ state: 'detached' })
  await page.locator('label', { hasText: 'Bin' }).click()
  await page.getByRole('button', { name: 'Restore “Dinner invitation”' }).waitFor()
  await inspectEverywhere('bin')
  await page.getByRole('button', { name: 'Restore “Dinner invitation”' }).click()
  await page.getByText('The bin is empty').waitFor()
  await page.locator('label', { hasText: 'Gallery' }).click()
  await card.waitFor()
})

/** Wide and light, narrow and dark; with CI=true also the other two combinations. */
async function inspectEverywhere(name: string): Promise<void> {
  await inspect(page, `catalogue-${name}`)
  await page.setViewportSize({ width: 360, height: 740 })
  if (process.env.CI) await inspect(page, `catalogue-${name}-narrow`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, `catalogue-${name}-narrow-dark`)
  await page.setViewportSize({ width: 1440, height: 900 })
  if (process.env.CI) await inspect(page, `catalogue-${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await settled(page)
}
