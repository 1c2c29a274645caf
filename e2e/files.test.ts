import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspect } from './inspect.ts'
import type { RunningEmma } from './launch-emma.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import { settled } from './settled.ts'
import { startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

let emma: RunningEmma
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: 'api,tracking' })
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** Drops images onto the upload area, as from a folder of the desktop. */
async function drop(names: readonly string[]): Promise<void> {
  const transfer = await page.evaluateHandle(async files => {
    const canvas = new OffscreenCanvas(640, 400)
    const context = canvas.getContext('2d')
    if (context) context.fillStyle = 'orange'
    context?.fillRect(0, 0, 640, 400)
    const image = await canvas.convertToBlob({ type: 'image/png' })
    const data = new DataTransfer()
    for (const name of files) data.items.add(new File([image], name, { type: 'image/png' }))
    return data
  }, names)
  await page
    .getByRole('button', { name: /Drop files/ })
    .first()
    .dispatchEvent('drop', { dataTransfer: transfer })
}

const entry = (name: string) => page.getByRole('button', { name, exact: true })

async function choose(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('R130 files are uploaded, renamed, moved, opened without a session, deleted and restored', async () => {
  await visit(page, '/templates/file-manager')
  await settled(page)
  await drop(['hero one.png', 'second.png'])
  await entry('hero one.png').waitFor()
  await entry('second.png').waitFor()
  await inspect(page, 'file manager')

  await choose('second.png', 'Rename')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('hero one.png')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('already exists').waitFor()
  await dialog.getByLabel('Name').fill('banner.png')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await entry('banner.png').waitFor()

  await page.getByRole('button', { name: 'New folder' }).click()
  await dialog.getByLabel('Name').fill('Summer')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await entry('Summer').waitFor()
  await choose('banner.png', 'Move')
  await dialog.getByRole('button', { name: 'Summer' }).click()
  await dialog.getByRole('button', { name: 'Move here' }).click()
  await entry('banner.png').waitFor({ state: 'detached' })
  await entry('Summer').click()
  await entry('banner.png').click()

  const drawer = page.getByRole('dialog', { name: 'banner.png' })
  const url = (await drawer.getByRole('link').first().getAttribute('href')) ?? ''
  expect(url).toMatch(/\/files\/\d+\/[\w-]{22}\.png$/)
  await drawer.getByLabel('Alternative text').fill('An orange banner')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  await drawer.getByText('No template uses this file.').waitFor()
  await inspect(page, 'file details')
  const stranger = await browser.newContext()
  const opened = await (await stranger.newPage()).goto(url)
  expect([opened?.status(), opened?.headers()['content-type']]).toEqual([200, 'image/png'])
  await stranger.close()
  await page.keyboard.press('Escape')

  await choose('banner.png', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await entry('banner.png').waitFor({ state: 'detached' })
  expect((await fetch(url)).status).toBe(200)
  await page.getByText('Bin', { exact: true }).click()
  await choose('banner.png', 'Restore')
  await page.getByText('The bin is empty').waitFor()
  await inspect(page, 'file bin')
  await page.getByText('Files', { exact: true }).last().click()
  await page.getByLabel('Search files').fill('orange')
  await entry('banner.png').waitFor()

  await entry('banner.png').click()
  await page.getByRole('button', { name: 'Edit image' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit banner.png' })
  await editor.getByText('1:1', { exact: true }).click()
  await editor.getByLabel('Width in pixels').fill('16')
  await editor.getByText('Result: 16 × 16 pixels').waitFor()
  await inspect(page, 'image editor')
  await editor.getByRole('button', { name: 'Save as new file' }).click()
  await page.getByText('banner-16x16.png was saved').waitFor()

  await page.getByRole('checkbox', { name: 'Select banner.png' }).check()
  await page.getByRole('checkbox', { name: 'Select banner-16x16.png' }).check()
  const bulk = page.getByRole('toolbar')
  await bulk.getByRole('button', { name: 'Move' }).click()
  await dialog.getByRole('button', { name: 'Parent folder' }).click()
  await dialog.getByRole('button', { name: 'Move here' }).click()
  await page.getByText(/2 entries done/).waitFor()
  await page.getByLabel('Search files').fill('')
  await entry('banner-16x16.png').waitFor()
  await page.getByRole('checkbox', { name: 'Select banner-16x16.png' }).check()
  await bulk.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await entry('banner-16x16.png').waitFor({ state: 'detached' })
  // The earlier move can be undone as well.
  const removed = page.getByRole('status').filter({ hasText: 'Delete: 1 entry done' })
  await removed.getByRole('button', { name: 'Undo' }).click()
  await entry('banner-16x16.png').waitFor()
})
