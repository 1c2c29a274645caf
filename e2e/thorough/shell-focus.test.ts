import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { startEmma } from '../start-emma.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: 'api,engine' })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const list = () => page.getByRole('table', { name: 'Mail classes' })
const row = (name: string) => list().getByRole('row').filter({ hasText: name })

/** Describes the focused element; "nowhere" if it is the body. */
function focus(): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) return 'nowhere'
    if (activeElement.id === 'content') return 'the screen'
    if (activeElement.closest('table')) return 'the list'
    return activeElement.getAttribute('aria-label') ?? activeElement.textContent
  })
}

/** True for the response to saved preferences; they are read first. */
function isSettings(answer: Response): boolean {
  return /\/user\/\d+\/settings\//.test(answer.url()) && answer.request().method() !== 'GET'
}

/** True for the response to preferences without the view. Using a view saves its columns, still with the view. */
function isWithout(view: string): (answer: Response) => boolean {
  return answer => isSettings(answer) && !(answer.request().postData() ?? '').includes(view)
}

async function openMailclasses(): Promise<void> {
  await page.goto(`${emma.url}/settings/mailclasses`)
  await row('Newsletter').waitFor()
}

test('R009 a new screen takes the focus, by a link and by Back', async () => {
  await openMailclasses()
  await list().getByRole('link', { name: 'Newsletter' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Newsletter' }).waitFor()
  await expect.poll(focus).toBe('the screen')
  await page.goBack()
  await row('Newsletter').waitFor()
  await expect.poll(focus).not.toBe('nowhere')
})

test('dialogs and menus restore the focus', async () => {
  await openMailclasses()
  const bell = page.getByRole('button', { name: /^\d+ new notification|^Notifications/ })
  for (const [opener, opened] of [
    [
      page.getByRole('button', { name: /^Running jobs/ }),
      page.getByRole('dialog', { name: /^Running jobs/ }),
    ],
    [bell, page.getByRole('link', { name: 'All notifications' })],
    [page.getByRole('button', { name: 'Help for this screen' }), page.getByRole('dialog', { name: 'Help' })],
    [
      page.getByRole('button', { name: 'Views', exact: true }),
      page.getByRole('textbox', { name: 'Name of the view' }),
    ],
    [
      page.getByRole('button', { name: 'Columns', exact: true }),
      page.getByRole('dialog', { name: 'Columns' }),
    ],
    [page.getByRole('button', { name: /^Account of/ }), page.getByRole('menuitem', { name: 'My settings' })],
    [page.getByRole('button', { name: /^Actions for/ }).first(), page.getByRole('menuitem').first()],
  ] as const) {
    await opener.press('Enter')
    await opened.first().waitFor()
    const name = await opener.evaluate(button => button.getAttribute('aria-label') ?? button.textContent)
    // The focus moves along, and Escape is handled there.
    await expect.poll(() => opener.evaluate(button => button === document.activeElement)).toBe(false)
    await expect.poll(focus, { message: String(name) }).not.toBe('nowhere')
    await page.keyboard.press('Escape')
    await opened.first().waitFor({ state: 'hidden' })
    await expect.poll(() => opener.evaluate(button => button === document.activeElement)).toBe(true)
  }
})

test('after a deletion the focus stays in the list, or on the screen if the record had its own page', async () => {
  const made = await Promise.all(['Spare_a', 'Spare_b'].map(name => api.post('/emma/mailclass/', { name })))
  await openMailclasses()
  await row('Spare_a')
    .getByRole('button', { name: /^Actions for/ })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await row('Spare_a').waitFor({ state: 'detached' })
  await expect.poll(focus).not.toBe('nowhere')

  await page.goto(`${emma.url}/settings/mailclasses/edit/${made[1]?.mailclass_id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await row('Newsletter').waitFor()
  await expect.poll(focus).not.toBe('nowhere')
})

test('several rows are deleted with progress, and failures are named', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `Bulk_${'abcdef'[index]}`)
  for (const name of names) await api.post('/emma/mailclass/', { name })
  // The one in use by campaigns cannot be deleted; the others wait until the progress has been seen.
  const progress = Promise.withResolvers<void>()
  let begun = 0
  await page.route('**/api/emma/mailclass/*', async route => {
    if (route.request().method() === 'DELETE' && begun++ > 0) await progress.promise
    return route.continue()
  })
  await openMailclasses()
  await list().getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('toolbar', { name: '7 selected' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('progressbar', { name: 'Delete' }).waitFor()
  progress.resolve()
  await page.getByText('Delete: 6 entries done').waitFor()
  await page.getByRole('alert').filter({ hasText: 'Newsletter: Still in use' }).waitFor()
  await row('Bulk_').first().waitFor({ state: 'detached' })
  expect(await list().getByRole('row').count()).toBe(2)
  await expect.poll(focus).not.toBe('nowhere')
  await page.unroute('**/api/emma/mailclass/*')
})

test('a saved view restores search, filters and sort until it is deleted', async () => {
  await openMailclasses()
  const views = page.getByRole('button', { name: 'Views' })
  await page.goto(`${emma.url}/settings/mailclasses?q=news&type=bulk&sort=-created_at`)
  await row('Newsletter').waitFor()
  const narrowed = new URL(page.url()).search
  await views.click()
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Bulk news')
  const saved = page.waitForResponse(isSettings)
  await page.keyboard.press('Enter')
  await page.getByText('View “Bulk news” saved').waitFor()
  await saved

  await views.click()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).not.toContain('news')
  await page.reload()
  await views.click()
  await page.getByRole('button', { name: 'Bulk news', exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).toBe(narrowed)

  await views.click()
  const kept = page.waitForResponse(isWithout('Bulk news'))
  await page.getByRole('button', { name: 'Delete view Bulk news' }).click()
  await kept
  await page.keyboard.press('Escape')
  await page.reload()
  await views.click()
  await page.getByRole('button', { name: 'All', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Bulk news', exact: true }).count()).toBe(0)
})

test('running jobs are in the menu, also after a reload', async () => {
  const { campagne_id: id } = await api.post('/emma/campaign/1/copy')
  await api.patch(`/emma/campaign/${id}`, { name: 'A slow one', throttle: 60, throttle_unit: 'hour' })
  await api.post(`/emma/campaign/${id}/start`)
  await openMailclasses()
  await page.reload()
  const menu = page.getByRole('button', { name: /^Running jobs: [1-9]/ })
  const slow = page.getByRole('button', { name: /^A slow one/ })
  await menu.click()
  await slow.click()
  await page.waitForURL(`**/campaigns/start/${id}`)
  await menu.click()
  await slow.waitFor()
  await api.post(`/emma/campaign/${id}/stop`)
  await slow.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/campaigns/start/${id}`)
})

test('deletions are undone: one in the list, one of a record page, several at once', async () => {
  const names = ['Back_a', 'Back_b']
  const made = await Promise.all(names.map(name => api.post('/emma/mailclass/', { name })))
  const undo = page.getByRole('button', { name: 'Undo' })
  const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await openMailclasses()
  await row('Back_a')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('You can undo this for a few seconds.').waitFor()
  await confirm()
  await row('Back_a').waitFor({ state: 'detached' })
  await undo.click()
  await page.getByText('“Back_a” restored').waitFor()
  await row('Back_a').waitFor()

  await page.goto(`${emma.url}/settings/mailclasses/edit/${made[1]?.mailclass_id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirm()
  await row('Back_a').waitFor()
  await row('Back_b').waitFor({ state: 'detached' })
  await undo.click()
  await page.getByText('“Back_b” restored').waitFor()
  await row('Back_b').waitFor()

  await page.goto(`${emma.url}/settings/mailclasses?q=Back_`)
  await row('Back_b').waitFor()
  await list().getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Delete' }).click()
  await confirm()
  await page.getByText('Delete: 2 entries done').waitFor()
  await row('Back_').first().waitFor({ state: 'detached' })
  await undo.click()
  await page.getByText('Delete: undone: 2 entries done').waitFor()
  await expect.poll(() => row('Back_').count()).toBe(2)
})
