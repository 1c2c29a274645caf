import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspect } from './inspect.ts'
import { openBrowser } from './open-browser.ts'
import { type StoryBook, serveStories } from './open-stories.ts'

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

test('every story opens in both schemes and on a phone, readable for all, without an error', async () => {
  const book = await browser.newPage()
  await book.goto(stories.url)
  const links = book.getByRole('navigation', { name: 'Stories' }).getByRole('link')
  const names = await links.evaluateAll(found =>
    found.map(link => new URLSearchParams(link.getAttribute('href') ?? '').get('story') ?? ''),
  )
  await book.close()
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    for (const look of [
      { scheme: 'light', width: 1280 },
      { scheme: 'dark', width: 1280 },
      { scheme: 'light', width: 360 },
    ] as const) {
      const { page, faults } = await stories.open(browser, name, look)
      await inspect(page, `${name}-${look.scheme}-${look.width}`)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ name, ...look, faults, overflow: Math.max(0, overflow) }).toEqual({
        name,
        ...look,
        faults: [],
        overflow: 0,
      })
      await page.context().close()
    }
  }
})

test('stories are found by what they show, and open in every language and brand', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(stories.url)
  await page.getByRole('searchbox', { name: 'Find a story' }).fill('heat map')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Charts' }).waitFor()
  expect(new URL(page.url()).searchParams.get('story')).toBe('charts')
  await page.getByRole('radiogroup', { name: 'Brand' }).getByText('EMS').click()
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('de').click()
  await page.getByRole('button', { name: 'Als Tabelle zeigen' }).first().waitFor()
  await page.getByRole('radiogroup', { name: 'Width' }).getByText('360').click()
  await page.frameLocator('iframe[title="360 px"]').getByRole('heading', { name: 'Charts' }).waitFor()
  await page.close()
})
