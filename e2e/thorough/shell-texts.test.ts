import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openConsole } from '../open-browser.ts'
import { type ApiSession, openApi } from '../api-session.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { settled } from '../settled.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
  page = await openConsole(browser, emma)
  await page.addInitScript(watchForKeys)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** Runs in the page: records all visible text that looks like a key, however briefly. */
function watchForKeys(): void {
  const seen = new Set<string>()
  const isKey = /^[a-z_]+(\.[a-z_]+)+$/
  const areas =
    /^(account|audience|campaigns|content|dashboard|deliverability|help|messages|notifications|platform|reports|tours|translations|webhooks|screens|areas|shell|action|field|state|history|misc|errors)\./
  const look = (text: string | null | undefined): void => {
    const key = text?.trim() ?? ''
    if (isKey.test(key) && areas.test(key)) seen.add(key)
  }
  const read = (node: Node): void => {
    if (node instanceof Text) look(node.data)
    if (!(node instanceof Element)) return
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) look(node.getAttribute(name))
    for (const child of node.childNodes) read(child)
  }
  new MutationObserver(changes => {
    for (const { target, addedNodes } of changes) {
      read(target)
      for (const node of addedNodes) read(node)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  Object.assign(window, { seenKeys: seen })
}

const seenKeys = (): Promise<string[]> =>
  page.evaluate(() => [...Reflect.get(window, 'seenKeys')].map(String))

const textFiles = /assets\/(texts\.)?(en|de|es)-.*\.js/

/** Screens of several features, including those that use texts of others. */
const screens = [
  '/campaigns/edit/new',
  '/messages/edit/new',
  '/settings/mailclasses/edit/1',
  '/subscribers/segments/edit/2',
  '/system/audit-log',
  '/system/clients/add',
  '/system/guided-tours/edit/1',
]

test('R007 R009 every screen loads with its texts: no key is visible, not even briefly', async () => {
  // Delays texts: a screen rendered before them would show keys now.
  await page.route(textFiles, async route => {
    await new Promise(resolve => setTimeout(resolve, 200))
    return route.continue()
  })
  const missed: string[] = []
  page.on('request', request => {
    if (/\/locales\/add/.test(request.url())) missed.push(request.postData() ?? '')
  })
  for (const [index, path] of screens.entries()) {
    await page.goto(`${emma.url}${path}?lng=${index % 2 === 0 ? 'de' : 'es'}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page, { isLoading: true })
    expect([path, await seenKeys()]).toEqual([path, []])
  }
  expect(missed).toEqual([])
  await page.unroute(textFiles)
})

test('R009 a screen loads the texts of its feature only', async () => {
  const asked: string[] = []
  page.on('request', request => {
    if (textFiles.test(request.url())) asked.push(request.url())
  })
  await page.goto(`${emma.url}/settings/webhooks?lng=en`)
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await settled(page, { isLoading: true })
  const has = async (words: string) => {
    const texts = await Promise.all(asked.map(async url => (await fetch(url)).text()))
    return texts.some(text => text.includes(words))
  }
  expect([await has('Other systems learn'), await has('The audiences of your campaigns.')]).toEqual([
    true,
    false,
  ])
  await page.getByRole('button', { name: 'Audience' }).click()
  await page.getByRole('link', { name: 'Segments' }).click()
  await page.getByText('The audiences of your campaigns.').waitFor()
  expect(await has('The audiences of your campaigns.')).toBe(true)
})

test('R007 a change of language loads the texts of all opened screens', async () => {
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByText('Die Zielgruppen Ihrer Kampagnen.').waitFor()
  await page.getByRole('button', { name: 'Plattform' }).click()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await page.getByRole('button', { name: 'Ansichten' }).waitFor()
  expect(await seenKeys()).toEqual([])
})

test('R295 the texts of the kit are editable like all others', async () => {
  await api.patch('/translation/de', { localisation: { kit: { list: { views: 'Meine Ansichten' } } } })
  const token = await page.evaluate(() => localStorage.getItem('loginToken') ?? '')
  const other = await browser.newPage()
  await other.addInitScript(text => {
    localStorage.setItem('loginToken', text)
    localStorage.setItem('i18nextLng', 'de')
  }, token)
  await other.goto(`${emma.url}/subscribers/segments`)
  await other.getByRole('button', { name: 'Meine Ansichten' }).waitFor()
  expect(await other.getByRole('button', { name: 'Ansichten', exact: true }).count()).toBe(0)
  await other.close()
})

test('fixed columns of datasources have translated names', async () => {
  const { data } = await api.get('/emma/membertable/?limit=1')
  for (const [language, name] of [
    ['en', 'Last click'],
    ['de', 'Letzter Klick'],
    ['es', 'Último clic'],
  ] as const) {
    await page.goto(`${emma.url}/settings/datasources/edit/${data[0].member_table_id}?lng=${language}`)
    const column = page.locator('details li').filter({ hasText: 'last_clicked_at' })
    await column.waitFor({ state: 'attached' })
    expect(await column.textContent()).toContain(name)
  }
})
