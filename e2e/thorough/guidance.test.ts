import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import { openBrowser, openConsole, openSession } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { settled } from '../settled.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'
import { follow } from '../visit.ts'

let emma: RunningEmma
let browser: Browser
let api: ApiSession
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  browser = await openBrowser()
  api = await openApi(emma)
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()

test('R305 new versions are marked until the changelog is opened', async () => {
  const badge = page.getByRole('link', { name: /^What’s new: \d+ version/ })
  await badge.click()
  await heading('What’s new').waitFor()
  await page.getByText('0.1.0').waitFor()
  await badge.waitFor({ state: 'detached' })
  await page.reload()
  await heading('What’s new').waitFor()
  await page.getByText('0.1.0').waitFor()
  expect(await badge.count()).toBe(0)
  await inspect(page, 'changelog')
})

test('R236 R282 R303 a message is written, translated by suggestions, and rejected while a text is missing', async () => {
  await page.goto(`${emma.url}/messages`)
  await page.getByRole('link', { name: 'New message' }).first().click()
  await save()
  const summary = page.getByRole('alert').first()
  for (const label of ['Title (English)', 'Text (German)', 'Title (Spanish)'])
    await summary.getByText(label).first().waitFor()
  await page.getByRole('tab', { name: /English/ }).click()
  await page.getByLabel('Title (English)').fill('Campaigns')
  await page
    .getByLabel('Text (English)')
    .fill('Tonight **from 8** <img src=x onerror="document.title=1"> we rest.')
  await page.getByRole('group', { name: 'Campaigns' }).getByText('from 8').waitFor()
  await page.getByRole('button', { name: 'Translate' }).click()
  // Suggestions arrive one by one; the last one removes the "missing" mark of its language.
  await page.getByRole('tab', { name: 'Español', exact: true }).waitFor()
  await page.getByRole('tab', { name: /Deutsch/ }).click()
  await expect.poll(() => page.getByLabel('Title (German)').inputValue()).toBe('Kampagnen')
  const suggestions = page.getByText('Suggested translation. Please check it.')
  await suggestions.nth(1).waitFor()
  await page.getByLabel('Title (German)').fill('Wartung')
  await suggestions.nth(1).waitFor({ state: 'detached' })
  expect(await suggestions.count()).toBe(1)
  await inspect(page, 'message')
  await save()
  await page.waitForURL('**/messages*')
  await page
    .getByRole('row', { name: /Campaigns/ })
    .getByText('Active')
    .waitFor()
  await inspect(page, 'messages')
})

test('R236 a logged-in user sees it at once, and not again after closing it', async () => {
  const banner = page.getByRole('region', { name: 'Campaigns', exact: true })
  await banner.getByText('from 8').waitFor()
  expect(await page.title()).not.toBe('1')
  const kept = page.waitForResponse(answer => /\/motd:dismiss\//.test(answer.url()))
  await banner.getByRole('button', { name: 'Do not show “Campaigns” again' }).click()
  await banner.waitFor({ state: 'detached' })
  await kept
  await page.reload()
  await heading('Messages of the day').waitFor()
  await settled(page)
  expect(await banner.count()).toBe(0)
})

test('R236 R291 a modal message is shown on an open screen by the socket', async () => {
  await api.post('/motd/', {
    ...words('Heads up', 'The office is **closed** today.'),
    startdate: '2026-01-01T00:00:00Z',
    type: null,
    modal_size: 'sm',
  })
  const dialog = page.getByRole('dialog', { name: 'Heads up' })
  // The socket connects five seconds after the screen at the earliest.
  await dialog.getByText('closed').waitFor()
  await inspect(page, 'message-window')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await api.get('/guidance/')).messages).toEqual([])
})

test('R024 the login shows its messages', async () => {
  await api.post('/motd/', {
    ...words('Welcome', 'We move on Sunday.'),
    startdate: '2026-01-01T00:00:00Z',
    type: 'info',
    show_at_login: true,
  })
  const outside = await browser.newPage({ locale: 'de-DE' })
  await outside.goto(`${emma.url}/login`)
  await outside.getByRole('group', { name: 'Welcome' }).getByText('We move on Sunday.').waitFor()
  expect(await outside.getByRole('group', { name: 'Heads up' }).count()).toBe(0)
  await outside.close()
})

test('R258 a tour is recorded in the live console by mouse and keyboard, and played', async () => {
  await page.goto(`${emma.url}/system/guided-tours/edit/new`)
  await page.getByRole('textbox', { name: /^Name\s*\*?$/ }).fill('The list of segments')
  await page.getByRole('textbox', { name: 'Screen' }).fill('/subscribers/segments')
  await save()
  await page.waitForURL(/guided-tours\/edit\/\d+/)
  await page.getByRole('button', { name: 'Record in the console' }).click()
  await heading('Segments').waitFor()
  const recorder = page.getByRole('region', { name: 'Recording' })
  await recorder.getByRole('button', { name: 'Point at an element' }).click()
  await heading('Segments').click()
  await recorder.getByText('role=heading[name="Segments"]').waitFor()
  await recorder.getByRole('button', { name: 'Point at an element' }).click()
  await page.getByRole('button', { name: 'Help for this screen' }).focus()
  await page.keyboard.press('Enter')
  await recorder.getByText('[data-tour="help"]').waitFor()
  // Picking an element does not activate it.
  expect(await page.getByRole('dialog').count()).toBe(0)
  await inspect(page, 'tour-recorder')
  await recorder.getByRole('button', { name: 'To the tour' }).click()
  const second = page.getByRole('group', { name: 'Step 2' })
  await second.waitFor()
  await second.getByLabel('Text', { exact: true }).fill('Help is here.')
  await second.getByLabel('Text', { exact: true }).press('Alt+ArrowUp')
  await expect
    .poll(() => page.getByRole('group', { name: 'Step 1' }).getByLabel('Element').inputValue())
    .toBe('[data-tour="help"]')
  await inspect(page, 'tour')
  await save()
  const play = page.getByRole('button', { name: 'Play' })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await play.focus()
  await page.keyboard.press('Enter')
  const popover = page.locator('.driver-popover')
  await popover.getByText('Help is here.').waitFor()
  await popover.getByText('1 of 2').waitFor()
  await pressUntil('ArrowRight', '2 of 2')
  await pressUntil('ArrowLeft', '1 of 2')
  await page.keyboard.press('Escape')
  await popover.waitFor({ state: 'detached' })
})

test('R258 a tour shows all its stops on a slow screen, and ends when the screen is left', async () => {
  const code = /segment-list/
  await page.clock.install()
  await page.goto(`${emma.url}/system/guided-tours`)
  await page.getByRole('link', { name: 'The list of segments' }).first().click()
  const play = page.getByRole('button', { name: 'Play' })
  await expect.poll(() => play.isEnabled()).toBe(true)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(code, async route => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(code)
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
  await play.click()
  await asked
  // Longer than a screen may stay unchanged before it counts as complete.
  await page.clock.runFor(2000)
  const popover = page.locator('.driver-popover')
  expect(await popover.count()).toBe(0)
  release()
  await heading('Segments').waitFor()
  await page.clock.resume()
  await popover.getByText('1 of 2').waitFor()
  await page.goBack()
  await popover.waitFor({ state: 'detached' })
  await heading('The list of segments').waitFor()
  expect(await page.locator('.driver-active').count()).toBe(0)
  await page.unroute(code)
})

test('R258 the tour for new users starts automatically once, on its own screen, and is in the help afterwards', async () => {
  const context = await openAsNewcomer()
  const theirs = await context.newPage()
  await theirs.goto(`${emma.url}/dashboard`)
  const popover = theirs.locator('.driver-popover')
  const code = /play-tour/
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await theirs.route(code, async route => {
    await held
    await route.continue()
  })
  const asked = theirs.waitForRequest(code)
  // The modal message is shown before the tour.
  await theirs.getByRole('dialog', { name: 'Heads up' }).getByRole('button', { name: 'Verstanden' }).click()
  await asked
  await follow(theirs, '/campaigns/archive')
  await theirs.getByRole('heading', { level: 1, name: 'Kampagnen' }).waitFor()
  release()
  // Longer than a tour waits for its stops.
  await theirs.waitForTimeout(6_000)
  expect(await theirs.locator('.driver-active').count()).toBe(0)
  // Escape is pressed before the first stop is drawn, and has to work all the same.
  await theirs.evaluate(() => {
    const draw = requestAnimationFrame
    const isTouring = () => document.body.classList.contains('driver-active')
    Object.assign(window, {
      requestAnimationFrame: (picture: FrameRequestCallback) => (isTouring() ? 0 : draw(picture)),
    })
  })
  await follow(theirs, '/dashboard')
  await popover.getByText('Zuerst der Inhalt').waitFor()
  const kept = theirs.waitForResponse(answer => /\/guided-tour:seen\//.test(answer.url()))
  await theirs.keyboard.press('Escape')
  await popover.waitFor({ state: 'detached' })
  await kept
  await theirs.reload()
  await theirs.getByRole('button', { name: 'Hilfe zu dieser Seite' }).click()
  const tours = theirs.getByRole('region', { name: 'Rundgänge' })
  await tours.getByRole('button', { name: /Erste Kampagne/ }).waitFor()
  expect(await popover.count()).toBe(0)
  await tours.getByRole('button', { name: /Erste Kampagne/ }).click()
  await popover.getByText('Zuerst der Inhalt').waitFor()
  await context.close()
})

test('R050 R051 R304 help is searched, read, and opened in a drawer of its screen', async () => {
  await page.goto(`${emma.url}/help`)
  await page.getByText(/^\d+ articles$/).waitFor()
  await inspect(page, 'help')
  await page.getByLabel('Search the help').fill('dkim')
  await page.waitForURL('**/help?q=dkim')
  await page
    .getByRole('link', { name: /Sending domains and DNS/ })
    .first()
    .click()
  await heading('Sending domains and DNS').waitFor()
  await page.getByRole('heading', { name: 'DMARC' }).waitFor()
  await inspect(page, 'help-article')
  await page.goto(`${emma.url}/subscribers/segments`)
  await heading('Segments').waitFor()
  await page.getByRole('button', { name: 'Help for this screen' }).click()
  const here = page.getByRole('region', { name: 'On this screen' })
  await here.getByRole('button', { name: 'Segments and the rule builder' }).click()
  await page.getByRole('dialog').getByText('Groups', { exact: true }).waitFor()
  await inspect(page, 'help-drawer')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.goto(`${emma.url}/help/9999`)
  await heading('This page does not exist').waitFor()
  expect(await page.getByRole('article').count()).toBe(0)
})

test('R317 an unreachable help service is reported as not available', async () => {
  await page.route('**/wp-json/**', route => route.abort())
  await page.goto(`${emma.url}/help`)
  await page.getByText('help not available', { exact: true }).waitFor()
  await page.unroute('**/wp-json/**')
  await page.route('**/wp-json/**', route => route.fulfill({ status: 200, body: '<html>elsewhere</html>' }))
  await page.reload()
  await page.getByText('help not available', { exact: true }).waitFor()
  await page.unroute('**/wp-json/**')
  expect(await page.getByRole('link', { name: 'Getting started' }).count()).toBe(0)
})

/**
 * driver.js ignores keys during its transition, so the key is pressed until the text shows; the left arrow does nothing
 * at the first stop.
 */
async function pressUntil(key: string, text: string): Promise<void> {
  const shown = async () => {
    await page.keyboard.press(key)
    return page.locator('.driver-popover').getByText(text).isVisible()
  }
  await expect.poll(shown, { interval: 300 }).toBe(true)
}

function words(title: string, body: string) {
  return {
    title_en: title,
    title_de: title,
    title_es: title,
    body_en: body,
    body_de: body,
    body_es: body,
  }
}

/** A German user with an ordinary role, logged in. */
async function openAsNewcomer(): Promise<BrowserContext> {
  const role = await api.post('/role/', { name: 'Newcomer', permissions: everyRight })
  const { data } = await api.get('/emma/client/?search=Northwind')
  const password = 'a password of their own'
  await api.post('/user/', {
    username: 'nina',
    email: 'nina@example.test',
    firstname: 'Nina',
    lastname: 'Newcomer',
    roles: [role.id],
    clients: [data[0].client_id],
    password,
  })
  return openSession(browser, emma, { username: 'nina', password, locale: 'de-DE' })
}

const everyRight = [
  'Dashboard',
  'Help',
  'EmmaCampaign',
  'EmmaMessage',
  'EmmaMember',
  'EmmaList',
  'EmmaReport',
  'EmmaMemberTable',
].map(entity => `${entity}:get`)
