import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../open-browser.ts'
import { type StoryBook, type StoryOptions, serveStories } from '../open-stories.ts'

let stories: StoryBook
let browser: Browser

beforeAll(async () => {
  stories = await serveStories()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await stories?.stop()
})

async function open(story: string, options: StoryOptions = {}): Promise<Page> {
  return stories.open(browser, story, options)
}

/** Pauses timers until the clock is resumed, so that transient states are seen on slow machines, too. */
async function holdTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

const story = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

test('R141 a select shows that it is loading and that nothing matches', async () => {
  const page = await open('select', { lng: 'de' })
  const domains = story(page, 'Loaded page by page, 57 looked up')
  await domains.getByRole('combobox').waitFor()
  await holdTime(page)
  await domains.getByRole('combobox').click()
  await page.getByText('Lädt…').first().waitFor()
  await page.clock.resume()
  await page.keyboard.type('zzz')
  await page.getByText('Keine Einträge').first().waitFor()
  expect(await page.getByRole('listbox').getByRole('option').count()).toBe(0)
  await page.context().close()
})

test('R009 R267 a select whose code fails to load does not break the page and recovers', async () => {
  const page = await open('select', { lost: /select-box/ })
  const domain = story(page, 'Loaded page by page, 57 looked up')
  await domain.getByRole('status').filter({ hasText: 'Could not be loaded yet' }).waitFor()
  await domain.getByText('Questions').click()
  await page.unroute(/select-box/)
  await domain.getByRole('combobox').click()
  await page.getByRole('option', { name: 'mail1.example.com' }).click()
  await domain.getByText('mail1.example.com', { exact: true }).waitFor()
  expect(await page.getByText('Could not be loaded yet').count()).toBe(0)
  await page.context().close()
})

test('R009 R283 a rule builder whose code and styles fail to load is retried, at once by a button', async () => {
  const lost = /rule-builder-box/
  const page = await open('rules', { lng: 'de', lost })
  const region = story(page, 'Rules')
  const retry = region.getByRole('button', { name: 'Erneut versuchen' })
  await retry.waitFor()
  await holdTime(page)
  await page.unroute(lost)
  await retry.click()
  await region.getByRole('button', { name: 'Regel hinzufügen' }).first().waitFor()
  const builder = region.locator('[class*="_builder_"]')
  expect(await builder.evaluate(element => getComputedStyle(element).position)).toBe('relative')
  await page.context().close()
})

test('a draft is offered after a reload, restored or discarded; undo restores a deleted record', async () => {
  const page = await open('form')
  const form = story(page, 'A record')
  await form.getByLabel('Name').fill('Winter newsletter')
  await page.reload()
  await form.getByText(/You have an unsaved draft/).waitFor()
  await form.getByRole('button', { name: 'Continue with the draft' }).click()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Winter newsletter')
  await page.reload()
  await form.getByRole('button', { name: 'Discard draft' }).click()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Autumn newsletter')
  await form.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Autumn newsletter” restored').waitFor()
  await page.context().close()
})

test('a pending search does not follow to the next screen', async () => {
  const page = await open('router')
  await holdTime(page)
  await page.getByRole('searchbox').fill('Row 1')
  await page.getByRole('link', { name: 'Slow' }).click()
  await page.clock.runFor(500)
  const href = page.locator('[data-href]')
  expect(await href.textContent()).toBe('/slow')
  await page.clock.resume()
  await page.getByText('Here at last').waitFor()
  expect(await href.textContent()).toBe('/slow')
  await page.context().close()
})

test('text typed during a save is kept and unsaved', async () => {
  const page = await open('form')
  const form = story(page, 'An editor in a form')
  const editor = form.getByRole('textbox', { name: 'Source' })
  await editor.click()
  await page.keyboard.type('before')
  await holdTime(page)
  const save = form.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await editor.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and meanwhile')
  await page.clock.resume()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await editor.textContent()).toBe('before and meanwhile')
  await form.getByText('Unsaved changes').waitFor()
  await page.context().close()
})

test('uploads are paused, resumed and retried, and rejected for a wrong type', async () => {
  const page = await open('upload')
  const box = story(page, 'Upload')
  await holdTime(page)
  const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;2\n') })
  await box.locator('input[type=file]').setInputFiles([file('one.csv'), file('bad.csv'), file('tool.exe')])
  await box.getByText(/tool.exe is not one of/).waitFor()
  await box.getByRole('button', { name: 'Pause upload of one.csv' }).click()
  await box.getByText('paused, restarts from the beginning').waitFor()
  await page.clock.resume()
  await box.getByText('The file is not UTF-8: line 12').waitFor()
  await box.getByRole('button', { name: 'Upload bad.csv again' }).waitFor()
  await box.getByRole('button', { name: 'Continue upload of one.csv' }).click()
  await page.getByText('one.csv is in').waitFor()
  expect(await page.getByText('tool.exe is in').count()).toBe(0)
  await page.context().close()
})

test('links in a message preview are disabled, including templates, shadow roots and SVG links', async () => {
  const page = await open('mail')
  const frame = story(page, 'Preview').locator('iframe')
  const source = (await frame.getAttribute('srcdoc')) ?? ''
  expect(source).not.toMatch(/<script|refresh|onclick|onerror|<set\b|_top|<math[^>]*href/i)
  const links = await frame.contentFrame().locator('a').all()
  expect(await Promise.all(links.map(link => link.getAttribute('target')))).toEqual([
    '_blank',
    '_blank',
    '_blank',
  ])
  await page.context().close()
})
