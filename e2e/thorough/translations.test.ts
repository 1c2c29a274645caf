import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { settled } from '../settled.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const campaignsArea = (of: Page, name: string) => of.getByRole('button', { name, exact: true })
const keptTexts = (of: Page, language: string): Promise<string | null> =>
  of.evaluate(key => localStorage.getItem(key), `i18next_res_${language}-translation`)

/** Opens the login page in a browser context of its own. */
async function openLogin(
  query: string,
  options: {
    locale?: string
    cookie?: string
    stored?: [string, string][]
    session?: [string, string][]
  } = {},
): Promise<{ context: BrowserContext; login: Page }> {
  const context = await browser.newContext({ locale: options.locale ?? 'en-GB' })
  if (options.cookie) await context.addCookies([{ name: 'i18next', value: options.cookie, url: emma.url }])
  await context.addInitScript(
    ([stored, session]) => {
      for (const [key, value] of stored ?? []) localStorage.setItem(key, value)
      for (const [key, value] of session ?? []) sessionStorage.setItem(key, value)
    },
    [options.stored ?? [], options.session ?? []] as const,
  )
  const login = await context.newPage()
  await login.goto(`${emma.url}/login${query}`)
  await login.getByRole('button', { name: /^(Log in|Anmelden|Iniciar sesión)$/ }).waitFor()
  return { context, login }
}

async function languageOf(query: string, options = {}): Promise<string> {
  const { context, login } = await openLogin(query, options)
  const lang = await login.evaluate(() => document.documentElement.lang)
  await context.close()
  return lang
}

test('R297 the language is detected in query, cookie, local storage, session storage, browser', async () => {
  const all = {
    cookie: 'es',
    stored: [['i18nextLng', 'en']],
    session: [['i18nextLng', 'es']],
    locale: 'de-DE',
  }
  expect(await languageOf('?lng=de', all)).toBe('de')
  expect(await languageOf('', all)).toBe('es')
  expect(await languageOf('', { ...all, cookie: undefined })).toBe('en')
  expect(await languageOf('', { session: all.session, locale: 'de-DE' })).toBe('es')
  expect(await languageOf('', { locale: 'de-DE' })).toBe('de')
})

test('R297 R007 script-like codes are dropped, an unsupported language falls back to English, the choice is stored', async () => {
  const { context, login } = await openLogin(`?lng=${encodeURIComponent('<script>alert(1)</script>')}`, {
    locale: 'de-DE',
  })
  expect(await login.evaluate(() => document.documentElement.lang)).toBe('de')
  expect(await login.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('de')
  await context.close()
  expect(await languageOf('?lng=fr', { locale: 'de-DE' })).toBe('en')
})

test('R293 T13 the texts are requested once and cached for seven days across reloads', async () => {
  await expect.poll(() => keptTexts(page, 'en')).toContain('"campaigns":"Campaigns"')
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.reload()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await settled(page)
  expect(asked.filter(url => url.includes('/api/translation/'))).toEqual([])
  expect(await keptTexts(page, 'en')).toContain('"campaigns":"Campaigns"')

  // Eight days later.
  await page.evaluate(() => {
    const key = 'i18next_res_en-translation'
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...kept, i18nStamp: Date.now() - 8 * 86_400_000 }))
  })
  await Promise.all([
    page.waitForResponse(response => response.url() === `${emma.url}/api/translation/en`),
    page.reload(),
  ])
})

test('R295 T14 a changed text is visible everywhere at once and can be reset', async () => {
  const other = await page.context().newPage()
  await other.goto(`${emma.url}/dashboard`)
  await campaignsArea(other, 'Campaigns').waitFor()

  await page.goto(`${emma.url}/system/translations`)
  await page.getByRole('searchbox', { name: 'Search keys and texts' }).fill('areas.campaigns')
  const text = page.getByRole('textbox', { name: 'areas.campaigns, English' })
  await text.fill('Mailings to all')
  await inspect(page, 'translations-edit')
  await text.press('Control+Enter')
  // The toast stays while the pointer is over its button.
  await page.getByRole('button', { name: 'Undo' }).hover()

  await campaignsArea(page, 'Mailings to all').waitFor()
  await campaignsArea(other, 'Mailings to all').waitFor()
  await expect.poll(() => keptTexts(other, 'en')).toContain('Mailings to all')

  const stranger = await openLogin('')
  await expect.poll(() => keptTexts(stranger.login, 'en')).toContain('Mailings to all')
  await stranger.context.close()

  await page.getByRole('button', { name: 'Undo' }).click()
  await campaignsArea(page, 'Campaigns').waitFor()
  await campaignsArea(other, 'Campaigns').waitFor()
  await other.close()
})

test('R295 text typed during a save is kept', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const saving = /\/api\/translation\/en$/
  await page.route(saving, async route => {
    if (route.request().method() === 'PATCH') await held
    await route.continue()
  })
  await page.goto(`${emma.url}/system/translations`)
  await page.getByRole('searchbox', { name: 'Search keys and texts' }).fill('areas.campaigns')
  const text = page.getByRole('textbox', { name: 'areas.campaigns, English' })
  await text.fill('Mailings')
  const asked = page.waitForRequest(request => request.method() === 'PATCH' && saving.test(request.url()))
  await text.press('Control+Enter')
  await asked
  await text.fill('Mailings and more')
  release()
  await page.getByText('“areas.campaigns” is saved.').waitFor()
  expect(await text.inputValue()).toBe('Mailings and more')
  await text.press('Escape')
  await campaignsArea(page, 'Mailings').waitFor()
  await page.getByRole('button', { name: 'Back to the shipped text: areas.campaigns, English' }).click()
  await campaignsArea(page, 'Campaigns').waitFor()
  await page.unroute(saving)
})

test('R295 texts that lack a placeholder are found and reset to the bundled text by a click', async () => {
  await page.goto(`${emma.url}/system/translations`)
  await page.getByRole('searchbox').fill('shell.client_switched')
  const german = page.getByRole('textbox', { name: 'shell.client_switched, Deutsch' })
  const shipped = await german.inputValue()
  await german.fill('Neuer Mandant: {{nom}}')
  await page.getByText('Missing placeholder: {{name}} Unknown placeholder: {{nom}}').waitFor()
  await german.press('Control+Enter')
  await page.getByText('“shell.client_switched” is saved.').waitFor()

  await page.getByRole('searchbox').fill('')
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Faulty' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /^1 text$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Back to the shipped text: shell.client_switched, Deutsch' }).click()
  await page.getByText('No text fits').waitFor()
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'All texts' }).click()
  await page.getByRole('searchbox').fill('shell.client_switched')
  await expect.poll(() => german.inputValue()).toBe(shipped)
})

test('R296 missing texts are collected and can be added', async () => {
  await fetch(`${emma.url}/locales/add/en/translation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'shell.unheard_of': 'shell.unheard_of' }),
  })
  await page.goto(`${emma.url}/system/translations`)
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Missing keys' }).click()
  await page.getByText('asked for once').waitFor()
  await inspect(page, 'translations-collected')
  const text = page.getByRole('textbox', { name: 'shell.unheard_of, English' })
  await text.fill('Heard of now')
  await text.press('Control+Enter')
  await page.getByText('Nothing is missing').waitFor()
  expect(await (await fetch(`${emma.url}/locales/en/translation.json`)).text()).toContain('Heard of now')
})

const file = (texts: string) => ({
  name: 'texts.json',
  mimeType: 'application/json',
  buffer: Buffer.from(texts),
})

test('R295 all texts are exported to a file and imported from one', async () => {
  await page.goto(`${emma.url}/system/translations`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('emma-texts.json')
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file('{"fr":{}}'))
  await page.getByText('This file holds no texts').waitFor()
  await input.setInputFiles(file('{"es":{"screens":{"campaigns":"Envíos"}}}'))
  await page.getByText('1 text taken over.').waitFor()
  await page.getByRole('searchbox').fill('screens.campaigns')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'screens.campaigns, Español' }).inputValue())
    .toBe('Envíos')
})

test('the screen is accessible in all sizes', async () => {
  await page.goto(`${emma.url}/system/translations`)
  await page
    .getByRole('textbox', { name: /English$/ })
    .first()
    .waitFor()
  await inspect(page, 'translations')
  await page.setViewportSize({ width: 360, height: 800 })
  await inspect(page, 'translations-narrow')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await inspect(page, 'translations-dark')
})
