import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../packages/ui/stories/pages.ts'
import { inspect } from '../inspect.ts'
import { openBrowser } from '../open-browser.ts'
import { allowFaults } from '../page-faults.ts'
import { type StoryBook, serveStories } from '../open-stories.ts'

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

/** Some stories show loading states. */
describe.each(pages)('the story page $name', ({ name }) => {
  test('opens without errors, is accessible in both color schemes, and fits a phone', async () => {
    // The preview's policy blocks remote images, which is logged.
    allowFaults(/ Loading the image/)
    const page = await stories.open(browser, name)
    await inspect(page, `${name}-light`, { isLoading: true })
    await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'dark'))
    await inspect(page, `${name}-dark`, { isLoading: true })
    await page.setViewportSize({ width: 360, height: 800 })
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(360)
    await page.context().close()
  })
})

test('stories are found by search terms, and open in every language and brand', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(stories.url)
  await page.getByRole('searchbox', { name: 'Find a story' }).fill('heat map')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Charts' }).waitFor()
  expect(new URL(page.url()).searchParams.get('story')).toBe('charts')
  await page.getByRole('radiogroup', { name: 'Brand' }).getByText('EMS').click()
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('de').click()
  await page.getByRole('button', { name: 'Als Tabelle anzeigen' }).first().waitFor()
  await page.getByRole('radiogroup', { name: 'Width' }).getByText('360').click()
  await page.frameLocator('iframe[title="360 px"]').getByRole('heading', { name: 'Charts' }).waitFor()
  await page.close()
})
