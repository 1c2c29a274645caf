import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { submitLogin } from '../log-in.ts'
import { pressGoTo } from '../press-go-to.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  // The tour would start for new users and cover the screen.
  await api.patch('/v2/guided-tour/1', { active: false })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})
beforeEach(async () => {
  page = await openConsole(browser, emma)
})
afterEach(() => page.context().close())

test('R008 the palette opens any screen that the user may open', async () => {
  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: 'Search' })
  await search.fill('mail cl')
  await page.getByRole('button', { name: /^Mail classes/ }).waitFor()
  await inspect(page, 'palette')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Mail classes' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/mailclasses')
})

test('the palette finds campaigns, templates, subscribers, users and domains, and cancels outdated requests', async () => {
  await api.post('/emma/list/', { name: 'Autumn buyers', member_table_id: 1 })
  const asked: string[] = []
  page.on('request', request => {
    const search = new URL(request.url()).searchParams.get('search')
    if (search !== null) asked.push(search)
  })
  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: 'Search' })
  await search.focus()
  // Typed in the page, since key presses from here would pause on a slow machine.
  await page.evaluate(() => {
    for (const letter of 'autumn') document.execCommand('insertText', false, letter)
  })
  await page.getByRole('button', { name: /^Autumn roast\s*Campaign/ }).waitFor()
  await page.getByRole('button', { name: /^Autumn buyers\s*Segment/ }).waitFor()
  // One request for the final text, not one per letter.
  expect(new Set(asked)).toEqual(new Set(['autumn']))

  const { email } = (await api.get('/v2/emma/client/1/membertable/1/member/?limit=1')).data[0]
  await search.fill(email)
  await page.getByRole('button', { name: new RegExp(`^${email}\\s*Subscriber`) }).click()
  await page.getByRole('heading', { name: email }).waitFor()

  await page.keyboard.press('Control+k')
  await search.fill('northwind')
  await page
    .getByRole('button', { name: /northwind\.test\s*Domain/ })
    .first()
    .click()
  await page.waitForURL('**/settings/domains/edit/*')
})

test('a slow response to an outdated search is ignored', async () => {
  const cancelled: string[] = []
  page.on('requestfailed', request => {
    const search = new URL(request.url()).searchParams.get('search')
    if (search !== null) cancelled.push(search)
  })
  await page.route('**/api/emma/campaign/**search=aut**', () => {})
  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: 'Search' })
  const isAsked = page.waitForRequest(/search=aut(&|$)/)
  await search.fill('aut')
  await isAsked
  await search.fill('north')
  await expect.poll(() => cancelled).toContain('aut')
})

test('the palette only finds what the user’s role may read', async () => {
  const role = await api.post('/role/', {
    name: 'Only mail classes',
    permissions: ['EmmaMailclass:get', 'Dashboard:get'],
  })
  await addPerson('narrow', role.id)
  await page.context().close()
  page = await openConsole(browser, emma, { username: 'narrow' })
  const asked: string[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (searchParams.has('search')) asked.push(pathname)
  })
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search' }).fill('northwind')
  await expect.poll(() => asked).toEqual(['/api/emma/client/'])
  await page.getByRole('textbox', { name: 'Search' }).fill('new')
  await page.getByText('Nothing found').waitFor()
})

test('R007 R142 the palette changes theme and language, also for other browsers', async () => {
  const role = (await api.get('/role/?limit=1')).data[0]
  await addPerson('chooser', role.id)
  await page.context().close()
  page = await openConsole(browser, emma, { username: 'chooser' })
  const kept: unknown[] = []
  page.on('response', answer => {
    if (isSettings(answer)) kept.push(answer.request().postDataJSON())
  })
  await run('Appearance: Dark')
  await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  await run('Language: Español')
  await page.getByRole('button', { name: 'Idioma' }).waitFor()
  await expect
    .poll(() => kept)
    .toEqual([{ custom: { color_scheme: 'dark' } }, { custom: { color_scheme: 'dark', language: 'es' } }])

  await page.context().close()
  page = await browser.newPage({ locale: 'en-GB' })
  await page.goto(`${emma.url}/login`)
  await submitLogin(page, 'chooser')
  await page.getByRole('button', { name: 'Idioma' }).waitFor()
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
})

test('the palette creates records, switches the client and logs out', async () => {
  await api.post('/emma/client/', {
    name: 'Other company',
    contact_email: 'b@other.test',
    language: 'en',
    timezone: 'Europe/Berlin',
  })
  await run('New campaign')
  await page.waitForURL('**/campaigns/edit/new')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search' }).fill('other company')
  await page.getByRole('button', { name: /^Other company/ }).click()
  await page.getByText('You now work for Other company.').waitFor()
  await run('Log out')
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => localStorage.getItem('loginToken'))).toBeNull()
  await api.post('/user/1/settings/', { client_id: 1 })
})

test('the dialog lists every shortcut, and single keys can be switched off', async () => {
  await page.keyboard.press('?')
  const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await map.waitFor()
  for (const label of ['Next row', 'Select the row', 'Save the form', 'Domains'])
    await map.getByText(label, { exact: true }).waitFor()
  await inspect(page, 'keyboard-map')
  const saved = page.waitForResponse(isSettings)
  await map.getByRole('switch').uncheck()
  await saved
  await page.keyboard.press('Escape')
  await map.waitFor({ state: 'detached' })
  await pressGoTo(page, 't')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  expect(await map.count()).toBe(0)
  await page.keyboard.press('Escape')
  await run('Keyboard shortcuts')
  const restored = page.waitForResponse(isSettings)
  await map.getByRole('switch').check()
  await restored
})

test('single-key shortcuts are ignored while typing', async () => {
  await page.goto(`${emma.url}/settings/mailclasses`)
  const search = page
    .getByRole('searchbox')
    .or(page.getByPlaceholder(/search/i))
    .first()
  await search.click()
  await page.keyboard.type('gt?')
  expect(await search.inputValue()).toBe('gt?')
  expect(new URL(page.url()).pathname).toBe('/settings/mailclasses')
})

test('R142 columns and views of a list are available in another browser', async () => {
  await page.goto(`${emma.url}/settings/mailclasses`)
  await page.getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page
    .getByLabel('Name of the view')
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill('My own')
  const saved = page.waitForResponse(isSettings)
  await page.getByRole('dialog').getByRole('button', { name: /save/i }).click()
  expect((await saved).status()).toBe(200)
  expect(await page.evaluate(() => localStorage.getItem('emma.views.mailclass.1.1'))).toContain('My own')

  await page.context().close()
  page = await openConsole(browser, emma)
  await page.goto(`${emma.url}/settings/mailclasses`)
  await page.getByRole('row').nth(1).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('emma.views.mailclass.1.1'))).toBeNull()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'My own', exact: true }).waitFor()
})

test('leaving unsaved changes asks for confirmation', async () => {
  await page.goto(`${emma.url}/settings/mailclasses/edit/1`)
  await page.getByLabel('Description').fill('Half a thought')
  await page.getByRole('heading', { level: 1 }).click()
  await pressGoTo(page, 't')
  const question = page.getByRole('dialog')
  await question.waitFor()
  await question.getByRole('button').filter({ hasText: 'Keep editing' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Description').inputValue()).toBe('Half a thought')
})

test('the first Tab stop is the skip link', async () => {
  await page.reload()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to the content' })
  expect(await skip.evaluate(link => link === document.activeElement)).toBe(true)
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
})

/** True for the response to saved preferences. */
function isSettings(answer: Response): boolean {
  return answer.request().method() === 'POST' && /\/user\/\d+\/settings\/$/.test(answer.url())
}

async function run(command: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.locator('.mantine-Spotlight-search input').fill(command)
  await page.getByRole('button', { name: command, exact: true }).click()
}

async function addPerson(username: string, role: number): Promise<void> {
  await api.post('/user/', {
    username,
    firstname: 'Nora',
    lastname: 'Narrow',
    email: `${username}@people.test`,
    password: adminPassword,
    roles: [role],
    clients: [1],
  })
}
